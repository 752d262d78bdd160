# 答案为什么没有被接受，所有界面通用。
refusal-unknown = 没有找到这个待答问题，请查看列表。
refusal-changed = 这个请求在你看到之后变了。什么都没有发出，请再看一眼。
# The title of a notification; a refusal is its text.
press-refused = 没有发出
press-not-saved = 还没有保存
refusal-answering = 已{ $by }回答，正在送达。
refusal-answered = 已{ $by }回答。
refusal-dismissed = 已{ $by }忽略。
refusal-expired = 已过期。
refusal-gone = 智能体不再等了。
invalid-kind = 这个问题不能这样回答。再看一眼它问的是什么。
invalid-always = 这个请求只能允许一次：智能体没有提供“始终允许”。
invalid-label = 第 { $question } 题没有这个选项。
invalid-ambiguous = 第 { $question } 题有几个同名的选项。请用编号说明是哪一个。
invalid-ambiguous-number = 在第 { $question } 题里，这既是一个选项的编号，又是另一个选项的文字。请直接点你要的那一个。
invalid-passed = 卡片已经到了另一步，什么都没有发出。请再看一眼卡片。
invalid-unseen = 答案在你看到之后有了变化，什么都没有发出。请再看一眼。
invalid-count = { $count ->
    [1] 有 1 个问题。
   *[other] 有 { $count } 个问题，每题都要有答案。
}
invalid-empty = 第 { $question } 题还没有答案。
invalid-question = 没有第 { $question } 题，一共 { $count } 题。
invalid-choice = { $count ->
    [0] 第 { $question } 题没有选项。
   *[other] 第 { $question } 题只有 { $count } 个选项。
}
invalid-too-many = 第 { $question } 题只能有一个答案。
invalid-twice = 第 { $question } 题有选项选了两次。
invalid-own-text = 第 { $question } 题只能用选项回答。
invalid-none = 第 { $question } 题既有答案又选了不回答。
invalid-format-text = 第 { $question } 题需要一段文字。
invalid-format-email = 第 { $question } 题需要一个电子邮件地址。
invalid-format-uri = 第 { $question } 题需要一个网址，例如 https://example.org。
invalid-format-date = 第 { $question } 题需要一个日期，例如 2026-02-28。
invalid-format-date-time = 第 { $question } 题需要一个时间，例如 2026-02-28T14:30:00Z。
invalid-format-number = 第 { $question } 题需要一个数字。
invalid-format-integer = 第 { $question } 题需要一个整数。
invalid-value = 第 { $question } 题需要 { $least } 到 { $most } 之间的数字。
invalid-value-least = 第 { $question } 题需要不小于 { $least } 的数字。
invalid-value-most = 第 { $question } 题需要不大于 { $most } 的数字。
invalid-characters = 第 { $question } 题需要 { $least } 到 { $most } 个字符。
invalid-characters-least = 第 { $question } 题至少需要 { $least } 个字符。
invalid-characters-most = 第 { $question } 题最多 { $most } 个字符。
invalid-answers = 第 { $question } 题需要 { $least } 到 { $most } 个答案。
invalid-answers-least = 第 { $question } 题至少需要 { $least } 个答案。
invalid-answers-most = 第 { $question } 题最多 { $most } 个答案。
invalid-above = 第 { $question } 题需要大于 { $demand } 的数字。
invalid-below = 第 { $question } 题需要小于 { $demand } 的数字。
invalid-step = 第 { $question } 题需要 { $demand } 的倍数。
invalid-rounded = 第 { $question } 题：位数太多，智能体收到的会变成 { $demand }。
invalid-too-large = 第 { $question } 题：这个数字太大，智能体无法接收。
invalid-pattern = 第 { $question } 题的文字要符合 { $demand }。

# 本地 API 为什么没有照办。`questions`、`for` 这类词是请求里的名字。
problem-unauthorized = 需要令牌（bearer token）。
problem-shape = 请求的格式不对：{ $reason }
problem-ambiguous = 符合的问题有 { $count } 个。连来源一起写明是哪一个：source/id。
problem-grant = `reply` 只能是 once、always 或 reject。
problem-until-and-for = `until` 和 `for` 只能给一个。
problem-for = `for` 需要一段时间，例如 30s、5m、1h。
problem-auto = `auto` 没有时限，只有 `here` 和 `away` 才有。
problem-snooze-time = 只有 `snoozed` 才有时间。
problem-runs-elsewhere = 它运行在另一个 Beckon（{ $beckon }）那边，请在那里打开。
problem-runs-somewhere = Beckon 不知道它在哪个窗口里运行。
problem-runs-no-more = 它的进程已经结束。
problem-detached = 它运行在 tmux 会话 { $session } 里，但没有终端在显示这个会话。请输入：{ $command }
problem-unproven-tmux = 它运行在 tmux 里，但 Beckon 无法确认这个 tmux 是你的。如果是，请输入：{ $command }
problem-no-pane = 它运行在 tmux 里，但 tmux 没能显示它的窗格。
problem-not-raised = 找不到它的窗口，或者这个桌面不允许把它切换到最前面。
problem-pane-not-raised = 已选中它的 tmux 窗格，但这个桌面不允许把那个终端切换到最前面。
problem-in-folder = { $sentence }它的工作目录是 { $directory }。
problem-no-browser = 没能在浏览器里打开。地址是 { $url }
problem-no-questions = `questions` 是空的，至少要有一个问题。
problem-question = 第 { $question } 题没有内容，或者既没有选项也不能自己写。
problem-many-questions = 问题超过了 { $most } 个，请分几次问。
problem-many-choices = 第 { $question } 题的选项超过了 { $most } 个。请减少选项，或者允许自己填写。
problem-all-choices = 所有问题的选项加起来超过了 { $most } 个，请分几次问。
problem-long-label = 第 { $question } 题有一个选项的名称超过了 { $most } kB。请用简短的名称，其余内容写进说明里。
problem-all-labels = 所有选项的名称加起来超过了 { $most } kB。请用简短的名称，其余内容写进说明里。
problem-no-permission = `permission` 是空的，用一个词写明要允许什么。
problem-id = `id` 由 1 到 { $most } 个字母、数字、-、_ 或 . 组成
problem-timeout = `timeout` 需要秒数，或一段时间，例如 30s、5m、1h。
problem-id-taken = 这个 id 已经用来问了别的问题，换一个吧。
problem-proof-used = 这个凭据已经用来证明了另一个回答。换一个，或者不写。
problem-not-open = 这里没有这个 id 的问题在等。
problem-not-asked = 这里没有人用这个 id 提过问题。
problem-no-session = 这个会话没有问题在等。
problem-stopping = Beckon 即将结束。等它运行起来再问一次。
problem-ending = Beckon 即将结束。要继续，请重新启动它。
problem-settled = 这个问题已结束，输入的内容不再保存。
problem-not-saved = 已经生效，但还没有保存：数据库无法写入。Beckon 会继续重试；如果在保存之前退出，需要重新操作一次。原因见“beckon status”。
problem-not-kept = 输入的内容没有保存下来：数据库拒绝写入。现在只有这个窗口里有，请在关闭之前发出去。
problem-empty-notice = `message` 是空的。
problem-not-paired = 这个编号没有配对。
problem-address-blank = 这个地址里有空格或看不见的字符，请手动输入，例如 { $like }。
problem-address-query = 请把“?”和它后面的内容都删掉，地址应写成 { $like } 这样。
problem-address-fragment = 请把“#”和它后面的内容都删掉，地址应写成 { $like } 这样。
problem-address = 这不是 { $like } 这样的地址。密码不写在地址里，另有填写的地方。
problem-name-taken = “{ $name }”这个名字已被占用：它是 Beckon 自用的，或写在设置里，或属于一个仍在运行的服务器。请换一个名字。
problem-nameless = 服务器需要一个名字。
problem-no-resume = 支持中断的服务还需要接受回答的地址：`resume`。
problem-no-secret = Beckon 没有保存这个名称的凭据。
problem-database = 历史记录读不出来：{ $reason }。问题照样显示，也照样能回答。
problem-network = 无法搜索局域网：{ $reason }。请手动填写地址。
problem-no-grant = 列表里已经没有这一项了。
problem-variable = 它的密码来自 { $variable }，会被发到新地址。请先取消这个变量。
problem-irrevocable = 无法从 Beckon 撤销：智能体没有提供收回的办法。
problem-not-revoked = 没有撤销：智能体的服务器未能执行（{ $reason }）。它可能仍然有效。

setting-unknown = 没有 { $key } 这项设置。
setting-changed = 设置刚刚变过了。请再看一遍，再改你想改的。
setting-no-server = config.toml 里没有名为“{ $name }”的服务器。
setting-broken-file = config.toml 本身有错，所以在这里什么也改不了。先改好它：{ $reason }

# config.toml 里哪里不对；是句子的一部分。
config-text = { $key } 写的是 { $value }，这里要写引号里的文字
config-yes-no = { $key } 写的是 { $value }，这里要写 true 或 false
config-span = { $key } 写的是 { $value }，这里要写一段时间，例如 30s、3m、1h
config-span-or-never = { $key } 写的是 { $value }，这里要写“never”，或一段时间，例如 30s、3m、1h
config-hours = { $key } 写的是 { $value }，这里要写时段，例如 23:00-07:30，或者留空
config-one-press = { $key } 写的是 { $value }，这里要写 unmarked 或 all
config-break-through = { $key } 写的是 { $value }，这里要写 never、permissions 或 always
config-forward = { $key } 写的是 { $value }，这里要写 away、always 或 never
config-kind = { $key } 写的是 { $value }，这里要写 resume 或 langgraph
config-port = { $key } 写的是 { $value }，这里要写 0 到 65535 之间的数字
config-hub = { $key } 写的是 { $value }，本机请写 nats://127.0.0.1:4222 这样的地址，其他电脑写 tls://hub.example:4222。要用 nats:// 连接其他电脑，请在旁边设置 insecure = true
config-device-key = { $key } 写的是 { $value }，请把那台设备上“beckon hub key”输出的公钥完整抄过来
config-address = { $key } 写的是 { $value }，这里要写 { $like } 这样的地址，里面不带密码
config-address-form = { $key } 要写 { $like } 这样的地址
config-address-login = { $key } 里带着用户名或密码，请删掉，只写 { $like } 这样的地址。密码在设置里填写，也可以用这个命令保存：beckon secret set
config-address-blank = { $key } 里有空格或看不见的字符，请删掉，手动输入 { $like } 这样的地址
config-address-query = { $key } 里有“?”，请把它和后面的内容都删掉，只写 { $like } 这样的地址
config-address-fragment = { $key } 里有“#”，请把它和后面的内容都删掉，只写 { $like } 这样的地址
config-proxy-scheme = { $key } 要以 socks5://、socks5h://、http:// 或 https:// 开头
config-proxy-port = { $key } 没有写端口，这里要写 socks5://127.0.0.1:1080 这样的地址
config-proxy-form = { $key } 要写 socks5://127.0.0.1:1080 或 http://user@proxy.example:8080 这样的地址
config-proxy-password = { $key } 里带着密码。把它删掉，密码应存进钥匙串，用这个命令保存：beckon secret set telegram:proxy
config-no-name = { $key } 是空的，这里要写任意别的文字
config-name-taken = { $key } 的 { $value } 出现了两次，或者是 Beckon 自己的名字；每个都要有自己的名字
config-unreadable = 第 { $line } 行读不懂：{ $reason }

# 有什么不对，直到改好为止。
warning-config = config.toml 改好之前不起作用，沿用上一份正确的设置：{ $reason }
warning-unknown-keys = config.toml 里有 Beckon 不认得的键：{ $keys }。它们不起作用，看看名字有没有写错
warning-not-saved = 无法写入数据库：{ $reason }。问题仍会提醒，也能回答，Beckon 会继续尝试保存；如果在此之前崩溃，可能丢失一部分
hub-reading = 正在读取其他电脑在中枢上的请求，已读 { $megabytes } MB
hub-other-user = 在那里监听的是这台电脑上的另一个用户；没有向对方透露任何内容。如果本来就该这样，请在 [hub] 里设置 any_user = true
hub-odd-no-nats = 那里的程序不像 NATS 服务器那样应答
hub-odd-long-line = 那里的服务器发来的一行内容没有结尾
hub-odd-large-message = 那里的服务器发来的消息超过了 Beckon 在中枢上保存的最大长度
hub-odd-speaks-first = 那里的服务器在连接加密之前就发来了数据
hub-odd-too-much = 那里的服务器发来的内容远多于所要求的
warning-hub-down = 连不上中枢：{ $reason }。这台电脑上的一切照常工作
warning-hub-unknown = 中枢拒绝这台设备连接：它还没有加入，或已被移出列表。要让它加入，请用“beckon hub invite”生成的邀请码运行“beckon hub join”；如果不再需要，请运行“beckon hub leave”。这台电脑上的一切照常工作
warning-hub-forbidden = 中枢不允许 Beckon 需要的操作：{ $what }。请检查这台设备在服务器上的权限；“beckon hub serve”设置的权限就够用
warning-hub-rules = 中枢上的流 { $stream } 的设置与 Beckon 需要的不同，因此不使用这个中枢。请删除这个流，或换一台服务器
warning-hub-refused = 经中枢收到并拒绝的回答：{ $forged } 个不是由列出的设备签名，{ $other } 个针对的是更改前的请求，{ $unfit } 个与请求不符，{ $unreadable } 个无法读取。它们都没有送达
warning-hub-strange = 中枢上有 { $count } 条记录不是由本机列出的设备签名的，因此不予显示。如果那是你的设备，请用“beckon hub invite”让它加入
warning-hub-left-out = { $device } 在中枢上的待答请求超出了 Beckon 为一台设备读取的上限：有 { $count } 个没有在这里显示。请到那台设备上回答
warning-hub-key = 这台设备还不能为发往其他电脑的回答签名。请运行“beckon hub key”，并在那些电脑上列出公钥。{ $reason }
warning-unread = { $source }：有些内容读不到，那里可能有没显示出来的请求（{ $what }）。Beckon 会再试。原因：{ $reason }
warning-strange = { $source }：有 { $count } 个请求的格式 Beckon 看不懂。请到运行智能体的地方回答，并看看有没有新版 Beckon
warning-unreadable = Beckon 启动以来，有 { $count } 条智能体的消息没能读懂或显示。请到智能体的终端里回答；原因见日志
unread-directories = { $count } 个目录
unread-projects = { $count } 个项目的会话
unread-both = { $directories }、{ $projects }
unread-looking = 列出会话花的时间比较长
warning-unread-updates = Beckon 启动以来，有 { $count } 条 Telegram 消息或点按没能读懂，因此没有生效。如果少了回答，请重新发送；编号见日志
hotkey-unreadable = window.hotkey 写的是“{ $keys }”，这里要写 Ctrl+Alt+B 这样的组合，或者留空
hotkey-taken = 这个快捷键已被别的程序占用。换一个组合
hotkey-nowhere = 这里不让程序自己设快捷键。在桌面的设置里给这个命令绑定快捷键：beckon show --window

# 出了什么问题。$reason 来自系统或程序库。
failed = 出错了：{ $reason }
failed-open = 打不开 { $file }：{ $reason }
failed-exposed = 这台电脑上的其他用户也能使用 { $file }，里面的内容不可信。它必须只归你一人使用：chmod 700
failed-read = 读不出 { $file }：{ $reason }
failed-write = 写不进 { $file }：{ $reason }
failed-remove = 删不掉 { $file }：{ $reason }
failed-create = 建不了 { $file }：{ $reason }
failed-no-place = 建不了 { $file }（Beckon 的文件放在这里）：{ $reason }。请确认你对这个位置有写权限，或者用环境变量 BECKON_HOME 指定一个你能写入的文件夹
failed-understand = { $file } 的内容读不懂，保持原样：{ $reason }
failed-entry = 读不到输入的内容：{ $reason }
failed-no-home = 不知道 Beckon 的文件该放在哪里。请设置环境变量 { $variable }
failed-not-whole = { $variable } 必须是从根目录写起的完整路径。现在这样写，在每个目录里指的都是不同的地方
failed-no-app-image = Beckon 是从 AppImage 里运行的，但找不到这个 AppImage 文件。请用完整路径直接运行它，再试一次
failed-no-web-page = 这不是网页地址，所以没有打开
config-utf16 = { $file } 是以 UTF-16 编码保存的，请另存为 UTF-8。
failed-taken = { $file } 不是 Beckon 放的，保持原样。
failed-hook-line = 未做任何更改。钩子的命令在这里运行不了：{ $line }：{ $reason }
failed-start = 无法启动 { $program }：{ $reason }
failed-newer = { $file } 是更新版本的 Beckon 写的（结构版本 { $found }，这个 Beckon 只认得 { $known }）。装回那个版本，或把文件移走
failed-database-busy = 别的程序正在使用 { $file }，可能是备份或数据库查看工具。Beckon 等了一会儿，没有启动，也没有改动任何内容。关掉那个程序，再启动 Beckon
failed-database-full = { $file } 所在的磁盘满了，Beckon 没有启动，也没有改动任何内容。腾出一些空间，再启动 Beckon
failed-database-not-permitted = Beckon 没有读写 { $file } 的权限：{ $reason }。Beckon 没有启动，也没有改动任何内容。看看这个文件和它旁边的文件属于谁（用 sudo 启动过就会属于 root），再启动 Beckon
failed-database-unreachable = { $file } 目前用不了：{ $reason }。Beckon 没有启动，也没有改动任何内容。检查磁盘和剩余空间，再启动 Beckon
failed-loop = Beckon 自己停了。原因在日志的最后一行。重新启动：beckon
failed-silent = Beckon 没有回应：{ $reason }。结束它，再重新启动：beckon
failed-too-large = 内容太长，Beckon 一次最多收 2 MB。请缩短后再试
failed-odd = Beckon 的回应是 { $status }，这里不明白它的意思：也许版本不同。请重新启动它
other-version = 正在运行的是 Beckon { $running }，而已安装的是 { $installed }。请重启 Beckon，待答的请求会保留。

# 来源为什么连不上；是句子的一部分。
fault-another-user = 在那里监听的是这台电脑上的另一个用户；没有向对方透露任何内容。如果本来就该这样，请在 config.toml 里为它设置 any_user = true
fault-owner-away = 那台电脑不在线
fault-left-out = Beckon 自身反复出错，已将其暂时停用，稍后会自行再试，重新启动 Beckon 也会再试
telegram-left-out = Beckon 自身反复出错，已停用 Telegram，重新启动 Beckon 后会再试
mute-left-out = Beckon 自身反复出错，已停用通知，重新启动 Beckon 后会再试
fault-hub-down = 还没有连上中枢
fault-silent = 连得上，但没有回应
fault-fell-silent = 它不再响应
fault-ended = 它关闭了连接
fault-status = 它的回应是 HTTP { $detail }
fault-no-events = 它发来的不是事件，而是 { $detail }
fault-no-type = 它发来的不是事件
fault-too-large = 它发来的数据超过了 Beckon 的读取上限（32 MB）
fault-too-slow = 它发送得太慢
fault-newer = 它的版本和看上去的不一样，正在重新连接

# 为什么没有通知；是句子的一部分。
mute-no-bus = 连不上会话总线：{ $reason }
mute-no-service = 没有通知服务：{ $reason }
mute-off-for-beckon = 系统设置里关掉了 Beckon 的通知
mute-off = 系统设置里关掉了所有通知
mute-off-by-policy = 这台电脑的策略关掉了通知
