# 命令行。
cli-about = 编程智能体的应答台。不带命令时启动托盘程序。
cli-headless = 只运行服务，没有托盘和窗口
cli-demo = 提几个假问题，不需要服务器
cli-unwritten = 输出无法写入：{ $why }
cli-already-running = Beckon 已经在运行。
cli-already-running-elsewhere = Beckon 已经在你的另一个登录会话里运行，通知显示在那边。想在这里用，请先在那边退出它。
cli-not-running = Beckon 没有运行。用这个命令启动：beckon
cli-unproven = 在 Beckon 原来的端口上监听的不是它，或者是旧版本的 Beckon；没有向对方透露任何内容。请重新启动：beckon
cli-status-about = 是否在运行，看到了什么
cli-status-json = 输出 JSON
cli-status-wait = 等到就绪，或过了这么多秒再返回
cli-list-about = 有什么在等你
cli-list-json = 输出 JSON
cli-list-window = 打开待处理窗口
cli-show-about = 完整显示一个问题
cli-show-id = 哪个问题
cli-show-json = 输出 JSON
cli-show-window = 打开回答窗口
show-no-window = Beckon 在这里打不开窗口。请运行 beckon list 查看，用 beckon answer 回答。
cli-answer-about = 用选项或自己的话回答
cli-answer-id = 哪个问题
cli-answer-question = 接下来的答案属于第几题，从 1 数起
cli-answer-choice = 选项，多个用逗号隔开，从 1 数起
cli-answer-text = 自己的话
cli-answer-seen = 你看到的内容的指纹，见 `list --json`；内容若已变，就不接受
cli-answer-json = 输出 JSON
cli-grant-about = 允许
cli-grant-id = 哪个权限请求
cli-grant-always = 从此一直允许，范围见 `show`
cli-grant-seen = 你看到的内容的指纹，见 `list --json`；内容若已变，就不接受
cli-grant-json = 输出 JSON
cli-deny-about = 拒绝一个权限请求
cli-deny-id = 哪个权限请求
cli-deny-reason = 给智能体的话
cli-deny-seen = 你看到的内容的指纹，见 `list --json`；内容若已变，就不接受
cli-deny-json = 输出 JSON
cli-dismiss-about = 忽略问题，不回答
cli-dismiss-id = 哪个问题
cli-dismiss-seen = 你看到的内容的指纹，见 `list --json`；内容若已变，就不接受
cli-dismiss-json = 输出 JSON
cli-hook-about = 供智能体自己的钩子运行；从标准输入读取发生了什么
cli-hook-claude-code-about = Claude Code 的所有钩子：询问你，并输出你的决定。Beckon 没有运行时什么也不说
cli-hook-claude-code-finished = Claude 完成时也告知
cli-seen-about = 表示已看到请求：不再提醒，也不转到手机
cli-seen-id = 请求的编号
cli-seen-undo = 撤回，或结束稍后处理
cli-seen-json = 输出 JSON
cli-snooze-about = 稍后处理请求；到时间再提醒
cli-snooze-id = 请求的编号
cli-snooze-time = 多久以后，例如 1h；不写就是 15m
cli-snooze-until_back = 等你回到电脑前
cli-snooze-end = 结束稍后处理
cli-snooze-json = 输出 JSON
cli-open-about = 转到请求所在会话的终端、窗口或网页
cli-open-id = 请求的编号
cli-open-json = 输出 JSON
open-terminal = 已切换到它的窗口。
open-browser = 已在浏览器里打开：{ $url }
cli-presence-about = 查看或设置在场状态
cli-presence-presence = auto（看依据）、here（在场）或 away（离开）
cli-presence-time = 持续多久，例如 1h；之后恢复自动
cli-presence-span = 同上
cli-presence-json = 输出 JSON
cli-watch-about = 跟踪每个问题，以及提出后过了多久
cli-watch-json = 每件事输出一行 JSON
cli-audit-about = 谁在何时何地回答了什么；从数据库读取，不必运行 Beckon
cli-audit-since = 从何时起：2h 或 7d 以前、2026-01-31 这样的日期，或日期加时间
cli-audit-jsonl = 每件事输出一行 JSON
cli-audit-hub = 所有电脑的记录，取自中枢上的日志，并注明签名的设备
cli-doctor-about = 逐项检查，并说该怎么办
cli-doctor-probe = 同时查看 config.toml 里的每个 OpenCode 支持什么，不论版本。只读取，不改动
cli-doctor-nearby = 同时寻找在局域网里广播自己的服务器
cli-doctor-json = 输出 JSON
cli-telegram-about = 手机上的问题：机器人，以及谁可以回答
cli-telegram-login-about = 保存机器人的令牌，从提示符或标准输入读取
cli-telegram-pair-about = 给出链接，谁先打开，谁就可以回答
cli-telegram-pair-json = 以 JSON 输出链接、代码和有效期，不等待
cli-telegram-pair-svg = 把二维码以 SVG 写进这个文件
cli-telegram-people-about = 谁可以回答，在哪个群组
cli-telegram-people-json = 输出 JSON
cli-telegram-unpair-about = 取消某人或某个群组的配对
cli-telegram-unpair-id = `people` 列出的号码或名字
cli-telegram-test-about = 给每个已配对的对话发一张测试卡片
cli-telegram-logout-about = 清除令牌
cli-integrate-about = 把 Beckon 自己的部分装进智能体，它不开服务器也能找到你
cli-integrate-claude-code-about = Claude Code 的钩子，写进它的 settings.json
cli-integrate-claude-code-remove = 移除
cli-integrate-opencode-about = OpenCode 插件：终端或桌面应用里没有端口的 OpenCode 也看得到
cli-integrate-opencode-remove = 卸载插件
cli-secret-about = 钥匙串里的凭据
cli-secret-set-about = 保存一个凭据，从提示符或标准输入读取
cli-secret-set-name = 例如 opencode:local，即服务器 local 的密码；或 telegram:proxy
cli-secret-remove-about = 清除一个凭据
cli-secret-remove-name = 保存时的名字，例如 telegram:proxy
cli-hub-about = 经中枢在多台电脑之间共享请求
cli-hub-serve-about = 在本机启动中枢（需要 nats-server）
cli-hub-serve-listen = 监听地址；0.0.0.0:4223 可让其他电脑连接，并使用 TLS
cli-hub-serve-address = 其他电脑连接它时使用的名称或地址
cli-hub-serve-tls = 在本机也使用 TLS
cli-hub-invite-about = 生成邀请码，让另一台电脑加入
cli-hub-invite-person = 那台电脑属于谁；默认是你
cli-hub-invite-json = 输出 JSON
cli-hub-join-about = 加入中枢，与其中的其他电脑共享请求
cli-hub-join-code = `beckon hub serve` 或 `beckon hub invite` 显示的邀请码。不写或写 - 时从提示或标准输入读取，这台电脑的其他用户就看不到
cli-hub-join-name = 这台电脑在那里的名称；默认用它自己的名称
cli-hub-leave-about = 退出中枢
cli-hub-people-about = 列出中枢的成员和设备
cli-hub-people-remove = 移除这台设备，此后拒绝它的回答
cli-hub-people-json = 输出 JSON
cli-hub-routes-about = 显示或设置团队里还有谁能看到和决定请求
cli-hub-routes-set = 使用这个 JSON 文件里的成员、规则和值班表
cli-hub-routes-json = 输出 JSON
cli-hub-doctor-about = 检查中枢
cli-hub-doctor-json = 输出 JSON
cli-hub-key-about = 显示这台设备的公钥；第一次运行时生成
cli-outline-about = 以 JSON 列出所有命令和它们的说明

status-head = Beckon { $version } · { $count ->
    [0] 没有智能体在等
   *[other] { $count } 个智能体在等
}
status-head-deaf = Beckon { $version } · 连不上任何智能体服务器，无法知道是否有智能体在等
status-source-live = { $name }：{ $url } · OpenCode { $version }
status-source-experimental = { $name }：{ $url } · OpenCode { $version } · 实验性：表单按已公布的约定读取，任务完成不会通知
status-source-live-interrupts = { $name }：{ $url } · 中断
status-source-live-langgraph = { $name }：{ $url } · LangGraph { $version }
status-source-beckon = { $name }：{ $url } · Beckon { $version }
status-source-circle = { $name }：{ $url } · Beckon { $version } · { $error }
source-circle = 它也在看着这个 Beckon；这里的问题不会再显示一次
status-source-plain = { $name }
status-source-away = { $name } · { $error }
status-source-connecting = { $name }：{ $url } · 正在连接
status-source-unreachable = { $name }：{ $url } · 连不上：{ $error }
status-source-unauthorized = { $name }：{ $url } · 密码被拒绝，用这个命令设置：beckon secret set opencode:{ $name }
status-source-unauthorized-interrupts = { $name }：{ $url } · 令牌被拒绝，用这个命令设置正确的：beckon secret set interrupts:{ $name }
status-source-unauthorized-langgraph = { $name }：{ $url } · 令牌被拒绝，用这个命令设置正确的：beckon secret set interrupts:{ $name }
status-desktop-works = 通知：{ $detail }
status-desktop-down = 通知：没有（{ $detail }）。等待回答的请求可以用 beckon list 查看
status-desktop-disturb-never = 勿扰模式已开启：请求来了不会提示，关闭后会重新显示
status-desktop-disturb-permissions = 勿扰模式已开启：授权请求标为紧急，其他请求不会提示，关闭后会重新显示
status-desktop-disturb-always = 勿扰模式已开启；请求标为紧急，多数桌面会放行
status-desktop-starting = 通知：正在启动
status-telegram = Telegram：{ $what }
status-telegram-environment = Telegram：{ $what } · 令牌来自 { $variable }
status-telegram-works = @{ $bot }，已配对 { $count } 个对话
status-telegram-starting = 正在启动
status-telegram-proxy = { $what } · 经由 { $proxy }
status-tray-down = 托盘：没有图标（{ $detail }）
status-warning = 注意：{ $text }

list-empty = 没有智能体在等。
list-deaf = 连不上任何智能体服务器，无法知道是否有智能体在等。请看：beckon status
list-head = { $id }  { $title } · { $state } · { $waited }
list-state-open = 在等
list-state-answering = 答案正在送达
list-state-stale = 智能体好像已经不等了
list-machine = 来自 { $machine }
list-origin = 提问者：{ $agent }，目录 { $directory }
list-change = 改动内容：
list-has-change = 另有 { $count } 行改动，用“beckon show { $id }”查看
list-no-name = 是哪个请求？请给出“beckon list”里显示的 ID。
list-left-out = 还有 { $count } 项没有保留
list-always = “始终允许”的范围：{ $patterns }
list-choice = { $number }  { $label }：{ $description }
list-choice-plain = { $number }  { $label }
list-multiple = 可以选多个
list-unknown = Beckon 看不懂它的格式，这里无法回答，只能到运行智能体的地方回答。收到的内容如下：
list-changed = 这个编号的内容后来变过。要回答现在问的，请加上 --seen { $seen }
list-untold = 这次调用的参数还不完整。仍要允许，请加上 --seen { $seen }

answer-taken = 智能体已收到。
answer-sent = 已发出，智能体还没有确认。
answer-already-answered = 已{ $by }回答。
answer-gone = 智能体不再等了。
# Where choices or texts were given and nothing is asked that takes them. $what is what is asked.
answer-second-text = 问题 { $number } 给了两段文字，但只能有一段。什么都没有发送
grant-always-means = 从现在起，以下内容不再询问就允许：{ $patterns }
answer-questions = 这是一个问题。回答：“beckon answer { $id } --choice 1”；忽略：“beckon dismiss { $id }”
answer-permission = 这里没有要回答的问题，而是一个授权请求（{ $what }）。允许这一次：“beckon grant { $id }”；从此一直允许：“beckon grant { $id } --always”；拒绝：“beckon deny { $id }”
answer-permission-once = 这里没有要回答的问题，而是一个授权请求（{ $what }）。允许：“beckon grant { $id }”；拒绝：“beckon deny { $id }”
answer-confirm = 这里没有要回答的问题，智能体只问要不要继续（{ $what }）。继续：“beckon grant { $id }”；到此为止：“beckon deny { $id }”
answer-confirm-plain = 这里没有要回答的问题，智能体只问要不要继续。继续：“beckon grant { $id }”；到此为止：“beckon deny { $id }”
answer-unknown = Beckon 看不懂这个请求的格式，请到运行智能体的地方回答
answer-also-rejected = { $count ->
    [9] 此会话的其他至少 9 个请求也一并被拒绝。
   *[other] 此会话的其他 { $count } 个请求也一并被拒绝。
}
answer-also-rejected-perhaps = { $count ->
    [9] 此会话的其他至少 9 个请求可能也一并被拒绝。
   *[other] 此会话的其他 { $count } 个请求可能也一并被拒绝。
}
by- = 在别处
by-elsewhere = 在智能体那边
by-notification = 在桌面通知里
by-tray = 在托盘里
by-window = 在窗口里
by-cli = 在终端里
by-api = 由程序
by-telegram = 在 Telegram 上
by-clock = 因超时

status-presence = 你 · { $words }
status-presence-withheld = 不告诉你的其他电脑你在不在这里（hub.share_presence）
status-presence-away = 你 · { $words } · 视为离开
status-blocked = 智能体等你的时间：今天 { $today } 分钟，近 7 天 { $week } 分钟
status-paused = 暂停到 { $time }：不弹通知，也不会有新消息发到 Telegram

watch-line = { $what }，{ $ms } 毫秒后  { $topic } { $outcome }
watch-line-plain = { $what }  { $topic }
watch-asked = 提出
watch-shown = 显示
watch-answered = 回答
watch-sent = 送出
watch-returned = 退回
watch-taken = 收到
watch-settled = 了结
watch-reopened = 重新打开
watch-undelivered = 尚未送达
watch-changed = 内容有变
watch-attention = 已看到、稍后处理或恢复提醒
watch-held = 由别人决定，或又由你决定
watch-agreed = 两人中有一人同意
watch-ended = Beckon 已停止。
watch-source = 来源有变
watch-on-desktop = 在桌面上
watch-on-telegram = 在 Telegram 上
watch-outcome-answered = 已回答
watch-outcome-answered-elsewhere = 已在别处回答
watch-outcome-dismissed-elsewhere = 已在别处忽略
watch-outcome-expired = 已过期
watch-outcome-gone = 智能体不再等了
watch-presence = 在场状态有变

# `beckon audit` 的一行：$detail 是决定、地点和人，$shown 是哈希。
audit-line = { $at }  { $what }  { $topic }  { $detail }  { $shown }
audit-returned-refused = 智能体拒绝了
audit-returned-unauthorized = 服务器需要密码
audit-returned-forbidden = 服务器不允许回答
audit-returned-unproven = 不知道是否送到
audit-returned-changed = 问的已是别的
audit-returned-undelivered = 没有送达
audit-returned-unconfirmed = 不知道智能体是否还在等
audit-returned-no-thread = 它的线程已不在
audit-returned-needs-another = 还要另一个人同意
audit-returned-hub-forbidden = 中枢拒绝了
audit-returned-hub-no-key = 没有密钥，无法签名
audit-returned-hub-unlisted = 那边拒绝了：设备不在列表里
audit-returned-hub-unreadable = 那边无法读取
audit-returned-hub-unfit = 那边拒绝了：与请求不符
audit-returned-hub-held = 那边拒绝了：由其他人决定
audit-hub-begins = 从这里开始写入日志
audit-hub-record = 中枢上的第 { $number } 条记录
audit-hub-unreadable = 无法读取
audit-hub-unsigned = 签名的设备不受本机信任
audit-hub-gap = 前面缺少记录
audit-hub-again = 重复的记录
audit-hub-doubtful = 有 { $count } 条记录没有得到证实。

doctor-config-ok = 设置：{ $detail }
doctor-config-bad = 设置：{ $detail }。改好 config.toml 之前，沿用上一份正确的设置
doctor-keys-bad = 设置：未知的键：{ $detail }。它们不起作用；检查拼写
doctor-files-bad = 文件：你没有写入 { $detail } 的权限，而 Beckon 的文件要放在这里。请取得写权限，或者用环境变量 BECKON_HOME 指定一个你能写入的文件夹
doctor-database-ok = 数据库：{ $detail }
doctor-database-bad = 数据库：{ $detail }。下次启动时会放到一边
doctor-keychain-ok = 钥匙串：正常
doctor-keychain-note = 钥匙串：这里没有。凭据来自环境变量，就不需要它：{ $detail }
doctor-keychain-bad = 钥匙串：{ $detail }
doctor-running-ok = Beckon { $detail } 正在运行
doctor-running-note = { $detail }
doctor-running-bad = { $detail }
doctor-source-ok = 智能体：{ $detail }
doctor-source-bad = 智能体：{ $detail }。用 opencode serve 启动它，或改正 config.toml 里的 url
doctor-machine-ok = 另一台电脑上的智能体：{ $detail }
doctor-machine-note = 另一台电脑上的智能体：{ $detail }
doctor-unread-bad = { $detail }
doctor-unreadable-note = { $detail }
doctor-chat-bad = Telegram：{ $detail }
doctor-service-ok = 服务：{ $detail }
doctor-service-bad = 服务：{ $detail }。启动它，或改正 config.toml 里的地址
doctor-token-ok = 令牌：{ $detail }
doctor-token-bad = 服务 { $detail } 拒绝了令牌。用这个命令设置：beckon secret set interrupts:{ $detail }
doctor-password-ok = 密码：{ $detail }
doctor-password-bad = 智能体 { $detail } 拒绝了密码。用这个命令设置：beckon secret set opencode:{ $detail }
doctor-desktop-ok = 通知：{ $detail }
doctor-desktop-note = 通知：{ $detail }。勿扰模式已开启；被拦下的请求会在关闭后显示，其间可在托盘和 beckon list 里查看
doctor-desktop-bad = 通知：{ $detail }。恢复之前，可以用 beckon list 查看等待回答的请求
doctor-desktop-buttons = 点通知的文字不会打开任何东西，请用它的按钮
doctor-desktop-start = 请启动一个通知服务；通过 SSH 登录或没有桌面时，本来就没有通知服务
doctor-tray-ok = 托盘：有图标
doctor-tray-note = 托盘：没有图标（{ $detail }）。没有图标 Beckon 也照常工作：用 beckon list 查看等待回答的请求
doctor-telegram-ok = Telegram：@{ $detail } 有回应
doctor-telegram-note = Telegram：{ $detail }
doctor-telegram-bad = Telegram：{ $detail }
doctor-telegram-environment = （令牌来自 { $variable }）
doctor-telegram-proxy = （经由 { $proxy }）
doctor-paired-ok = Telegram：已与 { $detail } 配对
doctor-paired-bad = Telegram：还没有配对，所以什么也不发。用这个命令配对手机：beckon telegram pair
doctor-privacy-ok = Telegram：在群组 { $detail } 里，机器人听得到每条消息
doctor-privacy-note = Telegram：在群组 { $detail } 里，机器人只听得到按钮、命令和对卡片的回复，这就够了。要让它听到每条消息：在 @BotFather 用 /setprivacy，再把机器人移出群组、重新加入
doctor-updates-ok = 更新：{ $detail } 已是最新版本
doctor-updates-note = 更新：{ $detail }
doctor-updates-newer = Beckon { $version } 已发布，现在是 { $running }。当初怎么装的就怎么更新；Beckon 从不替换自己
doctor-updates-unavailable = 检查已开启，但构建这个 Beckon 的人没有告诉它该问哪里，所以不会去问。请到当初获取它的地方看看有没有新版本
doctor-updates-unreachable = 连不上 Beckon 项目。两小时内会再试
doctor-updates-no-feed = 得到的回应不是版本列表。明天再问
doctor-updates-unsigned = 收到的内容没有 Beckon 项目的签名，已忽略。明天再问
doctor-updates-strange = 版本列表的签名没问题，但这个版本读不懂它。请到当初获取 Beckon 的地方看看有没有新版本
doctor-updates-replayed = 收到的版本列表比上一次的还旧，已忽略。明天再问
doctor-updates-outdated = 无法确定这是不是最新版本：按这台电脑的日期，版本列表是两个多月前的，或者来自未来。如果日期没错，请到当初获取 Beckon 的地方看看有没有新版本

# 凭据为什么拿不到，以及怎么办。
keychain-absent = 这里没有钥匙串。启动一个（GNOME Keyring、KWallet），或用环境变量 { $variable } 把凭据交给 Beckon
keychain-locked = 钥匙串锁着。解锁后再试，或用环境变量 { $variable } 把凭据交给 Beckon
keychain-no-place = 钥匙串里没有默认的密钥环，存不了东西。请新建一个（用“密码和密钥”或 KWalletManager）并设为默认，然后再试，或用环境变量 { $variable } 把凭据交给 Beckon
keychain-several = 钥匙串里有好几条不同的记录都叫这个名字。重新保存这个凭据，就会只留下新的一条；或用环境变量 { $variable } 交给 Beckon
keychain-silent = 钥匙串没有回应，可能在等解锁。解锁后再试，或用环境变量 { $variable } 把凭据交给 Beckon
keychain-no-text = 钥匙串里存的不是文字。重新保存这个凭据，或用环境变量 { $variable } 交给 Beckon
keychain-refused = 钥匙串拒绝了（{ $detail }）。排除这个原因，或用环境变量 { $variable } 把凭据交给 Beckon
doctor-presence-ok = 你 · { $detail }

secret-prompt = { $name } 的凭据：
secret-empty = 凭据是空的，什么也没有保存。
secret-out-of-reach = 什么也没有改动：{ $reason }
secret-stored = 已存入钥匙串：{ $name }
secret-removed = 已从钥匙串清除：{ $name }
secret-none = 钥匙串里没有这个名字：{ $name }
secret-proxy-unused = config.toml 的 telegram.proxy 里写上用户名后才会用到它，例如 socks5://NAME@proxy.example:1080

login-prompt = @BotFather 给你的令牌：
login-no-token = 这不是令牌。令牌像这样：123456789:AAExample。什么也没有保存。
login-unknown = Telegram 不认得它。到 @BotFather 那里重新复制
login-failed = 什么也没有保存：{ $reason }
login-stored = @{ $bot } 的令牌已存入钥匙串。
login-hidden = 不过环境变量 { $variable } 优先于钥匙串。取消它，再重新启动 Beckon。
login-next = 接下来配对手机：beckon telegram pair
logout-removed = 令牌已从钥匙串清除。配对保留到下次登录，见 beckon telegram people。
logout-none = 钥匙串里没有令牌。配对保留，见 beckon telegram people。
logout-hidden = 不过设了环境变量 { $variable }，Beckon 还在用里面的令牌。取消它，再重新启动 Beckon。
pair-link = 用手机打开，点“开始”：{ $link }
pair-svg = 二维码在 { $file } 里
pair-group = 要用群的话，打开这个链接并选择群：{ $link }
  如果机器人已经在群里，在群里发：{ $command }
pair-waiting = 只能用一次，{ $minutes } 分钟内有效。正在等待（Ctrl-C 结束）…
pair-done = 已配对：
pair-expired = 没有人打开链接，它已经失效。重新生成：beckon telegram pair
pair-exposed = 代码是以群或频道的身份发出的，没有配对任何人，而且别人能看到它，所以已经失效。请以自己的身份发送新的代码：beckon telegram pair
pair-replaced = 有了更新的链接，这一个已经失效。
people-none = 还没有配对。用这个命令配对手机：beckon telegram pair
people-person = { $name }（{ $id }）
people-person-blocked = { $name }（{ $id }），屏蔽了机器人
people-group-removed = { $name }（{ $id }，群组），机器人已被移出
people-group = { $name }（{ $id }，群组）
unpair-nobody = 已配对的人里没有这个号码或名字。见：beckon telegram people
unpair-several = 符合的不止一个。改用号码，见：beckon telegram people
unpair-group-left = “{ $name }”里已没有可以回答的人，所以不会再往那里发。要配对请运行“beckon telegram pair”，或者把这个群也取消配对。
unpair-done = { $name } 不再配对。
test-sent = 正在给 { $count } 个对话发消息。
test-failed = 消息送不到：{ $reason }
telegram-starting = 还不知道是哪个机器人，稍后再试

hint-title = 在终端里回答
hint-body = beckon show { $id }
running-title = Beckon 正在运行
running-body-deaf = 连不上任何智能体服务器。
running-body = { $count ->
    [0] 没有智能体在等。
   *[other] { $count } 个智能体在等。
}
warning-set-aside = 数据库已损坏，保留为 { $file }。Beckon 从智能体列出的问题重新开始。
warning-log-set-aside = 数据库有一部分无法读取：Beckon 停止前最后的记录可能缺失，当时给出的回答可能需要再答一次。副本保留为 { $file }
warning-fault = Beckon 因自身的错误退出，已自动重新启动。经过记录在 { $folder } 的日志里，欢迎反馈给我们
warning-part-left-out = 反复出错的部分已停用：{ $parts }。Beckon 稍后会自行再试，重新启动也会再试。经过记录在 { $folder } 的日志里，欢迎反馈给我们
part-discovery = 查找服务器
part-hub = 中枢
part-notifications = 通知
part-presence = 在场状态
part-sources = 各个代理的服务器
part-source = 服务器 { $name }
part-telegram = Telegram
part-updates = 检查更新
warning-damaged = 数据库 { $file } 已损坏。问题照样提醒，也能回答。请重新启动 Beckon：它会保留损坏的文件，从智能体列出的问题重新开始

# 脚本和智能体发起的提问。
cli-ask-about = 在脚本里问人：等待，并输出答案。退出码 0 已回答，3 已忽略，4 超时，5 Beckon 没有运行
cli-ask-question = 要问的话
cli-ask-choice = 一个选项，可以带一句说明；每个选项写一次。标签里的 = 写作 \=
cli-ask-multiple = 可以选多个；每个答案占一行
cli-ask-no_custom = 只能选，不能自己写
cli-ask-timeout = 最多等这么久，例如 30s、5m、1h
cli-ask-agent = 卡片上写明是谁在问；不写就用调用它的程序的名字
cli-ask-title = 这项工作叫什么
cli-ask-json = 输出 JSON
cli-acp-about = 替编辑器启动一个 ACP 智能体，它要做什么也在 Beckon 里问你
cli-acp-agent = 智能体及其参数，与编辑器启动它时相同
cli-mcp-about = 让智能体通过 MCP 问你：标准输入输出上的服务
integrate-claude-installed = Claude Code 现在通过 Beckon 询问，运行中的会话也一样：{ $file }
integrate-claude-renewed = 钩子已更新：{ $file }
integrate-claude-there = 钩子已经在了：{ $file }
integrate-claude-off = 钩子已写在 { $file } 里，但 Claude Code 不会运行它们：{ $by } 里设置了 { $key }。
integrate-claude-removed = 钩子已移除：{ $file }
integrate-claude-not-there = 没有 Beckon 的钩子：{ $file }

# 智能体钩子的通知。
acp-not-started = 无法启动 { $agent }：{ $why }
acp-no-reason = 拒绝的理由不会传给这个智能体
acp-in-editor = 智能体提出的请求只能在它的编辑器里回答。
hook-title = Claude Code · { $project }
hook-finished = 已完成。
hook-failed = 因出错而停止。
hook-unreadable = Claude Code 提出了一个 Beckon 读不懂的请求。请到它的终端里回答。
hook-not-taken = Claude Code 没有采纳回答，它仍在终端里等着。
# “始终允许”会放行什么：Claude Code 的同名模式，到会话结束为止。
hook-accept-edits = 修改文件，执行常用文件命令，包括 rm -rf（“accept edits”模式）
hook-overwrites = 文件已存在：会丢掉其中 { $count } 行
hook-overwrites-nothing = 文件已存在：原有的行都会保留
hook-overwrites-unseen = 文件已存在，这里无法显示它的内容：会被覆盖
hook-line-ends = 换行符会改变：{ $from } → { $to }
hook-line-ends-mixed = 混用
hook-replaces = 文件中共有 { $count } 处会被替换
hook-replaces-unseen = 会替换文件中的每一处，这里无法显示该文件
hook-cell-unseen = 原来的单元格：这里无法显示它的内容
# MCP 服务器表单里的选项。
hook-form-yes = 是
hook-form-no = 否
hook-form-empty = 留空
hook-form-default = 默认值
hook-form-accept = 接受
hook-form-decline = 拒绝

ask-dismissed = 问题被忽略，没有答案。
ask-timed-out = 到时间了，没有人回答。
ask-gone = 问题已撤回。

doctor-hint = { $text }。{ $hint }
doctor-probe = { $name }（OpenCode { $version }）支持的功能：
doctor-probe-events = 事件
doctor-probe-questions = 待回答的问题
doctor-probe-permissions = 待批准的权限
doctor-probe-status = 哪些会话正忙
doctor-probe-answers = 接收回答（按它自己的说明）
doctor-probe-second-core = 第二内核的问题（1.18）
doctor-probe-forms = 表单（2.x）
doctor-probe-known = { $part }：和 Beckon 了解的一致（{ $path }）
doctor-probe-absent = { $part }：没有（{ $path }）
doctor-probe-odd = { $part }：和 Beckon 了解的不一致（{ $path }：{ $detail }）
doctor-nearby = 附近：{ $url } 上的 { $name } 在广播自己。要关注它，请写进 config.toml
doctor-nearby-none = 附近：局域网里没有 OpenCode 广播自己
doctor-nearby-bad = 附近：{ $detail }
doctor-plugin-ok = OpenCode 插件：{ $file }
doctor-plugin-outdated = OpenCode 插件：{ $file } 来自另一个版本的 Beckon
doctor-plugin-renew = 用这个命令更新：beckon integrate opencode
doctor-hooks-ok = Claude Code 的钩子：{ $file }
doctor-hooks-off = Claude Code 的钩子：写在 { $file } 里，但 Claude Code 不会运行它们：{ $by }
doctor-hooks-last = { $text }（上次触发：{ $time }）
doctor-hooks-never = { $text }（尚未触发过）
doctor-hooks-old = Claude Code 的钩子：{ $file } 里的钩子出自另一个 Beckon，或是为另一个版本的 Claude Code 写的
doctor-hooks-renew = 用这个命令更新：beckon integrate claude-code
doctor-plugin-foreign = OpenCode 插件：{ $file } 不是 Beckon 的，所以插件没有安装
doctor-coverage-port = { $directory } 里的 OpenCode（进程 { $pid }）：已通过端口接入，名为 { $source }
doctor-coverage-door = { $directory } 里的 OpenCode（进程 { $pid }）：已通过插件接入，名为 { $source }
doctor-coverage-events = { $directory } 里的 OpenCode（进程 { $pid }），名为 { $source }：已接入（插件，仅事件）：插件找不到它的服务器
doctor-coverage-unseen = { $directory } 里的 OpenCode（进程 { $pid }）：未接入，它没有 Beckon 关注的端口
doctor-coverage-older = { $directory } 里的 OpenCode（进程 { $pid }）：未接入，它在安装插件之前就启动了
doctor-coverage-silent = { $directory } 里的 OpenCode（进程 { $pid }）：未接入，尽管插件已安装
doctor-coverage-integrate = 运行 beckon integrate opencode 安装插件，然后重启那个 OpenCode
doctor-coverage-restart = 重启那个 OpenCode

integrate-installed = 已安装：{ $file }。正在运行的 OpenCode 重启后生效
integrate-there = 已经装好了：{ $file }
integrate-renewed = 已更新：{ $file }。正在运行的 OpenCode 重启后生效
integrate-removed = 已卸载：{ $file }。正在运行的 OpenCode 重启后才会停用
integrate-not-there = 没有安装：{ $file }
integrate-foreign = { $file } 不是 Beckon 的，保持原样。请先把它移走

# 帮助的标题，以及参数为什么不对。$argument 和帮助里写的一样。
cli-usage = 用法：
cli-commands = 命令
cli-arguments = 参数
cli-options = 选项
cli-print-help = 显示帮助
cli-print-version = 显示版本
cli-help-about = 显示某个命令的帮助
cli-wrong-value = { $argument } 不接受“{ $value }”。
cli-wrong-one-of = { $argument } 不接受“{ $value }”，只接受 { $valid }。
cli-wrong-no-value = { $argument } 后面要有值。
cli-wrong-too-many = { $argument } 后面不带值。
cli-wrong-argument = 这里没有 { $argument }。
cli-wrong-command = 没有“{ $argument }”这个命令。
cli-wrong-missing = 缺少 { $argument }。
cli-wrong-conflict = { $argument } 不能和 { $other } 一起用。
cli-wrong-time = { $argument } 要写一段时间，例如 30s、5m、1h，而不是“{ $value }”。
cli-wrong-when = { $argument } 接受 2h、7d、2026-01-31 这样的日期，或日期加时间，不接受“{ $value }”。
cli-wrong-label = { $argument } 的 = 前面要有标签。
cli-wrong-numbers = { $argument } 要写从 1 数起的号码，例如 1,3，而不是“{ $value }”。
cli-wrong-more = 详细用法请加 --help。

# Of the window program, in a message box of Windows.
window-no-web-view = Beckon 的窗口需要微软的 WebView2 运行时，这台电脑上没有安装。请从 https://developer.microsoft.com/microsoft-edge/webview2 下载安装，再打开窗口。在那之前，可以用通知、托盘和命令行回答。

# beckon hub
hub-unnamed = this-machine
hub-not-joined = 这台电脑还没有加入中枢。用“beckon hub serve”启动一个，或用已有中枢的邀请码运行“beckon hub join”
hub-joined-already = 这台电脑已在另一个中枢（{ $url }）。请先运行“beckon hub leave”退出
hub-serve-missing = 没有安装 nats-server。请安装 2.9 或更新版本（Debian 和 Ubuntu：apt install nats-server；macOS：brew install nats-server；或 https://github.com/nats-io/nats-server/releases），然后再运行一次
hub-serve-too-old = nats-server { $version } 太旧，Beckon 需要 2.9 或更新版本。请从 https://github.com/nats-io/nats-server/releases 获取，然后再运行一次
hub-serve-ready = 中枢已启动：nats-server { $version }，地址 { $url }。按 Ctrl+C 停止。这台电脑已加入
hub-serve-syncs-not = 这个版本的 nats-server 延迟写盘，断电可能丢失途中的回答。2.10 或更新版本不会
hub-serve-here-only = 只有这台电脑能连上中枢。要让其他电脑加入，请停止后运行：beckon hub serve --listen { $listen }
hub-serve-others = 其他电脑通过 { $url } 连接它。如果那里用不了，请加上 --address 和可用的名称或地址重新运行
hub-serve-taken = 另一个程序正在使用这个地址（{ $reason }）。请用 --listen 换一个，例如 127.0.0.1:4233
hub-serve-joined = { $device } 已加入
hub-serve-left = { $device } 已不在中枢里
hub-serve-stopped = 中枢已停止。恢复之前，各台电脑照常各自工作
hub-serve-already = 这台电脑已经在运行中枢。要再生成一个邀请码，请运行“beckon hub invite”
hub-serve-ended = nats-server 停止了：{ $reason }
hub-serve-silent = nats-server 已启动，但拒绝 Beckon 连接：{ $reason }
hub-invite = 要让一台电脑加入，请在 { $minutes } 分钟内在那台电脑上运行“beckon hub join”，再输入下面的邀请码。邀请码只能用一次：
hub-invite-person = 加入后它属于 { $person }。要让别人的电脑加入，请运行：beckon hub invite --person 名字
hub-not-built = 这个 Beckon 编译时没有包含中枢。请安装发布的软件包
hub-join-still-listed = 本机没有保存任何设置：{ $reason }。没能通知中枢，所以它的列表里仍有这台电脑。解决之后再加入一次，邀请码仍有效时用同一个，否则用新的；也可以在运行中枢的电脑上用“beckon hub people --remove”移除
hub-join-may-be-listed = { $reason }。中枢的列表里可能仍有这台电脑。请再加入一次，邀请码仍有效时用同一个，否则用新的；也可以在运行中枢的电脑上用“beckon hub people --remove”移除
hub-join-prompt = 邀请码：
hub-join-no-code = 这不是“beckon hub invite”生成的邀请码。请复制完整的邀请码，它以 bkj1- 开头
hub-join-done = 这台电脑已加入 { $url } 的中枢，名称是 { $device }
hub-join-person = 它现在属于 { $person }
hub-join-next = 现在，任何一台电脑上的请求都可以在所有电脑上回答。正在运行的 Beckon 会自动连接
hub-left = 这台电脑已退出 { $url } 的中枢
hub-left-admin = 只要“beckon hub serve”还在运行，其他电脑仍可使用中枢
hub-left-bot = 这台电脑仍保存着 @{ $bot } 的令牌。如果中枢上的电脑也有它，机器人就留给那一台；只要那一台还在负责，这里就不向手机发送任何内容。要在这里使用它，请在那边移除令牌
hub-left-untold = 没能通知中枢，所以它的列表里仍有这台电脑。{ $reason }。请在运行中枢的电脑上用“beckon hub people --remove”移除
hub-people-none = 没有设备
hub-people-line = { $device }：{ $notes }
hub-people-owned = { $device }（{ $person }）
hub-people-here = 已连接
hub-people-away = 未连接
hub-people-own = 这台设备
hub-people-admin = 运行中枢
hub-people-version = Beckon { $version }
hub-people-removed = { $device } 已不在中枢里。此后拒绝它的回答
hub-list-older = 中枢显示的设备列表（第 { $shown } 版）比本机所知的（第 { $known } 版）旧。此处以较新的为准。请检查运行中枢的电脑：它的服务器可能恢复过旧数据，或在作假
# 一条规则：$projects 和 $kinds 是它管的，后面是它的各部分。
hub-routes-line = { $scope }：{ $rule }
hub-routes-scope = { $projects } · { $kinds }
hub-routes-kind = { $kind ->
    [question] 问题
    [permission] 授权
   *[confirm] 确认
}
hub-routes-kinds-all = 所有请求
hub-routes-dangerous = { $kinds }（危险）
hub-routes-starter = 发起人
hub-routes-not-starter = 发起人除外
hub-routes-others = { $minutes ->
    [0] { $who }
   *[other] { $minutes } 分钟后 { $who }
}
hub-routes-seen = { $who } 也能看到
hub-routes-two = 需两人同意
hub-routes-comma = ；
hub-routes-all = 所有项目
hub-who-everyone = 所有人
hub-who-role = 角色为 { $name } 的人
hub-who-on-duty = 值班的人（{ $name }）
hub-shift = { $rota }，{ $from } 至{ $to }（{ $zone }）
hub-shift-at = { $kind ->
    [mon] 周一 { $time }
    [tue] 周二 { $time }
    [wed] 周三 { $time }
    [thu] 周四 { $time }
    [fri] 周五 { $time }
    [sat] 周六 { $time }
   *[sun] 周日 { $time }
}
# Below a route: whom its roles and rotas mean now.
hub-routes-now = 目前是：{ $names }
hub-routes-now-nobody = 目前没有人
hub-on-duty = 正在值班（{ $rota }）
hub-routes-none = 没有规则：智能体在谁的电脑上运行，就由谁决定
hub-routes-set = { $count ->
    [0] 没有生效的规则
   *[other] { $count } 条规则已生效
}
hub-routes-strangers = 没有名为 { $names } 的人拥有设备。规则以“beckon hub people”列出的名字为准
hub-routes-nobody-has = 规则里写了 { $names }，但没有人有这个角色或班次。请检查拼写，或把它分配给某人
hub-routes-stuck = 按目前的情况，{ $names } 发起的请求在“{ $route }”之下没有人能决定
hub-routes-unread = { $file } 无法使用，规则没有改变：{ $reason }
# 规则文件为什么不能用。
hub-routes-no-table = 它不是以 {"{"} 开头的表
hub-routes-no-table-at = “{ $at }”不是以 {"{"} 开头的表
hub-routes-missing = 里面没有“routes”。如果不要任何规则，请写 "routes": []
hub-routes-key = “{ $key }”不是可用的键
hub-routes-key-near = “{ $key }”不是可用的键。你是不是想写“{ $near }”？
hub-routes-offset = utc_offset 为 { $minutes } 分钟，超过了 14 小时
hub-routes-no-shift = { $person } 的班次开始和结束都在 { $at }
hub-no-name = “{ $name }”不能作人名：规则无法用它指到这个人
hub-fault-keychain = 无法从钥匙串取得这台设备的密钥（{ $reason }）
hub-fault-unreachable = 连不上中枢（{ $reason }）
# Said by itself, and as the reason why the hub isn't reachable.
hub-fault-ca = [hub] 的“ca”所指的 { $file } 无法读取：{ $reason }
hub-fault-ca-empty = [hub] 的“ca”所指的 { $file } 里没有证书
hub-fault-not-let-in = 中枢拒绝这台设备连接：它从未加入，或已被移出列表
hub-fault-other-server = 这个地址上的服务器不是邀请码所指的那一台，没有向它发送任何内容
hub-fault-forbidden = 中枢不允许这台设备执行此操作（{ $reason }）
hub-fault-not-served = 中枢目前没有运行：“beckon hub serve”没有启动
hub-fault-forged = 返回的内容没有中枢管理者的签名，已忽略
hub-fault-not-loaded = 设备列表已更改，但 nats-server 仍在使用旧列表（{ $reason }）。在它采用新列表之前，被移除的设备仍能读取；Beckon 会继续尝试。重新运行“beckon hub serve”也许有用
hub-fault-failed = 没有成功（{ $reason }）
hub-refused-used = 这个邀请码已被另一台设备用过。请用“beckon hub invite”再生成一个
hub-refused-expired = 这个邀请码已过期，或不是这个中枢生成的。请用“beckon hub invite”再生成一个
hub-refused-no-such-device = 没有这个名称的设备；“beckon hub people”会列出它们
hub-refused-admin = 这台设备运行着中枢，所以不能移除
hub-refused-invalid = 只有运行中枢的电脑才能执行此操作
hub-refused-login-taken = 中枢已把这台设备的登录密钥列在另一台设备名下。请先移除那台设备，“beckon hub people”会列出它们
hub-refused-failed = 运行中枢的电脑没能完成，原因见它的输出
doctor-hub-ok = 中枢：{ $detail }
doctor-hub-bad = 中枢：{ $detail }
doctor-hub-place = nats-server { $version }，{ $url }，{ $ms } 毫秒
doctor-hub-login-ok = 登录：{ $detail }
doctor-hub-login-bad = 登录：{ $detail }
doctor-hub-as-admin = 这台设备运行中枢
doctor-hub-as-device = 这台设备可以登录
doctor-hub-streams-ok = 流：符合 Beckon 的需要
doctor-hub-streams-bad = 流：缺少或设置不同：{ $detail }。请删除已有的，并重新运行“beckon hub serve”
doctor-hub-list-bad = 设备列表：{ $detail }
doctor-hub-there-ok = 当前在线：{ $detail }
doctor-hub-there-note = 当前在线：{ $detail }
doctor-hub-there-bad = 当前在线：{ $detail }
doctor-hub-nobody = 没有设备
doctor-hub-sync-ok = 断电：中枢确认过的内容已写入磁盘
doctor-hub-sync-note = 断电：{ $detail }
doctor-hub-sync-bad = 断电：{ $detail }
doctor-hub-syncs-not = 途中的回答可能丢失。请使用 nats-server 2.10 或更新版本
doctor-hub-syncs-unknown = 无法得知；请在服务器的 jetstream 段把 sync_interval 设为 always，否则途中的回答可能丢失
doctor-hub-clock-ok = 时钟：与中枢相差 { $detail }
doctor-hub-clock-note = 时钟：与中枢相差 { $detail }
doctor-hub-clock-unknown = 未知
