# Telegram。格式和转义是代码的事：这里没有 HTML。

# 卡片，从上到下。$text、$label、$reply 等是别人的原话。
telegram-subagent = 子智能体
# 同一题的两个答案之间。
telegram-comma = 、
telegram-quote = “{ $text }”
telegram-choice = { $label }：{ $description }
telegram-no-questions = 问题没有文字
telegram-place = 第 { $number } 题，共 { $count } 题
telegram-so-far = 目前：{ $reply }
telegram-more-choices = … 还有 { $count } 个
telegram-by-number = { $from } 到 { $to } 没有按钮：回复编号即可。
telegram-review = 核对
telegram-no-answer-yet = 还没有答案
telegram-sure-dismiss = { $count ->
    [1] 忽略这个问题？
   *[other] 忽略全部 { $count } 个问题？
}
telegram-sure-dismiss-means = 智能体得不到答案，只会知道你忽略了它。
telegram-confirm = 继续吗？
telegram-unknown = 智能体发来了一个请求，但 Beckon 看不懂它的格式。

# 再问一次，以及允许的期限。
telegram-sure-always = 始终允许？
telegram-sure-once = 允许这一次？
telegram-sure-always-until = OpenCode 重启之前，以下内容不再询问。
telegram-sure-always-session = 在本次会话余下的时间里，以上全部不再询问。
telegram-sure-always-project = 在这个项目里，这些会直接运行，不再询问，直到你在 Beckon 的设置里撤销。
telegram-sure-always-unsaid = 这些会直接运行，不再询问；持续多久由智能体决定。
# 允许有隐藏内容的请求之前，以及隐藏了什么。
telegram-sure-hidden = 确定吗？先看仔细。
telegram-hides-characters = 其中有隐藏字符或大段空白，可能被误认成别的内容。
telegram-hides-rest = 卡片放不下，没有显示全部。
telegram-hides-change = 看不到具体的修改。
telegram-hides-details = 智能体没有提供详情。
telegram-hides-arguments = 智能体没有给出这次操作的全部内容。

telegram-in-full = 📎 全文见 { $name }
telegram-not-in-full = 📎 内容太长，卡片放不下，装全文的文件又没能发出：请到电脑上看
telegram-expires = ⌛ { $time } 过期
telegram-redrawn-later = 已生效。Telegram 暂时不让更新消息，这张卡片 { $time } 之后才会变。
telegram-not-saved = 还没有保存：数据库无法写入。如果 Beckon 在保存之前退出，需要重新操作。
telegram-edited = 修改消息不会改变结果：Beckon 按你最初发出的内容处理了。如果那张卡片还没结束，请再回复一次。
telegram-rival-card = 还有别的程序在用这个机器人，这个按钮可能是它的。这里什么也没有送出。
telegram-missed = Beckon 可能断线了一会儿。如果刚才按过按钮，请再按一次。

# 卡片还开着时的最后一行：不用按钮怎么回答。
telegram-hint-own = 直接回复你的答案。
telegram-hint-nothing = 这个问题无法回答，只能忽略。
telegram-hint-number = { $count ->
    [1] 也可以回复 1。
    [2] 也可以回复 1 或 2。
   *[other] 也可以回复 1 到 { $count } 的编号。
}
telegram-hint-number-own = { $count ->
    [1] 也可以回复 1 或你自己的话。
    [2] 也可以回复 1、2 或你自己的话。
   *[other] 也可以回复 1 到 { $count } 的编号，或你自己的话。
}
telegram-hint-numbers = 也可以回复 1 到 { $count } 的编号，可以多个，例如“1 2”。
telegram-hint-numbers-own = 也可以回复 1 到 { $count } 的编号，可以多个，例如“1 2”，或你自己的话。
telegram-hint-unknown = 这里无法回答，请到运行智能体的地方去回答。
telegram-hint-review = 按“发送”之前，什么也不会送出。
telegram-hint-buttons = 用按钮回答。
telegram-hint-awaited = 请直接回复。再点一次 ✏️ 取消。

# 按钮。
telegram-own = ✏️ 自己写答案
telegram-own-text = ✏️ { $text }
telegram-copy = 📋 复制命令
telegram-awaited = ✏️ 等待你的回复…
telegram-done = 下一题
telegram-back = 返回
telegram-send = 发送
telegram-dismiss = 🚫 忽略…
telegram-yes-dismiss = 确定忽略
telegram-yes-always = 确定始终允许
telegram-yes-once = 确定允许一次
telegram-yes-continue = 确定继续
telegram-no-back = 返回
telegram-once = 允许一次
telegram-always = 始终允许…
telegram-reject = 拒绝
telegram-reject-reason = 拒绝并说明理由
telegram-continue = 继续
telegram-cancel = 到此为止

# 请你写字的消息，以及输入框空着时的文字（最多 64 个字符）。
telegram-prompt-text = ✏️ 你对“{ $question }”的答案
telegram-placeholder-text = 你的答案
telegram-prompt-reason = ✏️ 为什么拒绝？智能体会读到你写的话。
telegram-placeholder-reason = 理由

# 文件里的文字。
telegram-file-last-words = 智能体的说明：
telegram-file-always = “始终允许”的范围：

# 卡片回答之后的第一行：加粗的答案，然后是在哪里、什么时候。
telegram-sending = 正在送达
telegram-answered = { $place }，{ $time }
telegram-elsewhere = 已回答
telegram-expired = 等了 { $age }，已过期
telegram-gone = 智能体已不再等待
telegram-by-telegram = 由你
# 有好几个人能回答，而已经不知道是谁的时候。
telegram-by-somebody = 在 Telegram 上
telegram-by-notification = 在桌面通知里
telegram-by-tray = 在托盘里
telegram-by-window = 在窗口里
telegram-by-cli = 在终端里
telegram-by-api = 通过 API
telegram-by-clock = 超时
telegram-by-elsewhere = 在智能体里
telegram-by-terminal = 在智能体的终端里

# 答案：正在送达的，和已经给出的。
telegram-answers = { $count } 个答案
telegram-no-answer = 没有答案
telegram-allow-once = 允许一次
telegram-allow-always = 始终允许
telegram-dismiss-it = 忽略
telegram-continued = 已继续
telegram-cancelled = 已停止
telegram-allowed-once = 已允许一次
telegram-allowed-always = 已始终允许
telegram-rejected = 已拒绝
telegram-dismissed = 已忽略
telegram-told-once = 已允许一次
telegram-told-always = 已始终允许
telegram-told-reject = 已拒绝
telegram-told-continue = 已继续
telegram-told-cancel = 已停止

# 弹出的提示，最多 200 个字符。
telegram-late = 已有结果：{ $what }（{ $place }，{ $time }）
telegram-late-by = { $name }（{ $time }）已回答：{ $what }
telegram-refusal-unknown = 这张卡片已失效。
telegram-refusal-changed = 这张卡片是为另一个请求做的，什么都没有发出。
telegram-refusal-answering = 已{ $place }回答，正在送达。
telegram-refusal-answered = 已{ $place }回答。
telegram-refusal-dismissed = 已{ $place }忽略。
telegram-refusal-expired = 已过期。
telegram-refusal-gone = 智能体已不再等待。
telegram-invalid-kind = 这张卡片不能这样回答，请看最后一行。
telegram-passed-answered = { $name }刚刚回答了这一题：{ $reply }。你的回答没有生效，要修改请点卡片上的“返回”。
telegram-passed-moved = { $name }刚刚把卡片翻到了另一步，什么都没有发出。请再看一眼卡片。
telegram-unseen-by = { $name }刚刚改动了答案，什么都没有发出。请再看一眼卡片，然后发送。
telegram-invalid-label = 第 { $question } 题没有这个选项。回复它的编号。

# 再次提醒；下一行是 telegram-about。
telegram-about = { $place }：{ $topic }
telegram-questions = { $count } 个问题
telegram-still-waiting = ⏰ 已经等了 { $age }
telegram-returned = ⚠️ 未送达：
telegram-expires-soon = ⌛ { $time } 过期

# 一轮结束。
telegram-turn-nameless = 一个智能体
telegram-turn-done = 用时 { $age }完成
telegram-turn-failed = 失败

# /pending 和 /status。
telegram-waiting = { $count } 个智能体在等
telegram-pending-none = 没有智能体在等。
telegram-pending-deaf = 连不上任何智能体服务器，无法知道是否有智能体在等。
telegram-pending-more = … 还有 { $count } 个
telegram-source-live = { $name }：OpenCode { $detail }
telegram-source-plain = { $name }：已连接
telegram-source-connecting = { $name }：正在连接
telegram-source-unreachable = { $name }：连不上（{ $detail }）
telegram-source-unauthorized = { $name }：密码或令牌被拒绝
telegram-desktop-works = 通知正常
telegram-desktop-down = 桌面通知不可用
telegram-paused = 暂停到 { $time }：不弹通知，这里也没有新卡片
telegram-presence-said-here = 在场（由你设置）
telegram-presence-said-away = 离开（由你设置）
telegram-presence-here = 在场：{ $why }
telegram-presence-away = 离开：{ $why }
telegram-presence-unknown = 无法判断你是否在场
telegram-presence-until = { $said }，到 { $time } 为止
telegram-evidence = { $why }（{ $witness }）
telegram-evidence-input = { $age }前有键盘或鼠标输入
telegram-evidence-using = 正在使用键盘或鼠标
telegram-evidence-idle = 已有 { $age }没有输入
telegram-evidence-no-input = 有一阵没有输入
telegram-evidence-locked = 屏幕已锁定
telegram-evidence-asleep = 电脑在睡眠

# 所有在等的请求，一行一个；$count 和 $pages 是数字。
telegram-list-waiting = { $count } 个在等
telegram-list-since = 最早从 { $time } 开始等
telegram-list-page = 第 { $page } 页，共 { $pages } 页
telegram-list-open = 点编号打开对应的卡片。
telegram-list-none = ✅ 这里没有在等的请求。
telegram-list-here = 我在场
telegram-list-pause = 暂停 30 分钟
telegram-list-auto = 自动
telegram-list-resume = 结束暂停
telegram-resumed = 暂停已结束。
# 列表上：说了什么、谁说的。$known 为 "yes" 时是 Telegram 上的某人说的。
telegram-list-set-here = { $known ->
    [yes] 🖥 { $name } 设为在场：新请求只留在电脑上
   *[no] 🖥 已设为在场：新请求只留在电脑上
}
telegram-list-set-here-until = { $known ->
    [yes] 🖥 { $name } 设为在场，到 { $time } 为止：新请求只留在电脑上
   *[no] 🖥 已设为在场，到 { $time } 为止：新请求只留在电脑上
}
telegram-list-set-away = { $known ->
    [yes] 📱 { $name } 设为离开
   *[no] 📱 已设为离开
}
telegram-list-set-away-until = { $known ->
    [yes] 📱 { $name } 设为离开，到 { $time } 为止
   *[no] 📱 已设为离开，到 { $time } 为止
}
telegram-list-paused = { $known ->
    [yes] ⏸ { $name } 暂停到 { $time }：没有通知，这里也不会有新卡片
   *[no] ⏸ 已暂停到 { $time }：没有通知，这里也不会有新卡片
}
# 告诉其他已配对的人：有人说了自己在哪里，这对所有人都有效。
telegram-other-set-here = 🖥 { $name } 设为在场：新请求只留在电脑上，不再发到 Telegram，直到有人更改。
telegram-other-set-here-until = 🖥 { $name } 设为在场，到 { $time } 为止：在那之前新请求只留在电脑上，不发到 Telegram。
telegram-other-set-away = 📱 { $name } 设为离开：每个新请求都会发到 Telegram，直到有人更改。
telegram-other-set-away-until = 📱 { $name } 设为离开，到 { $time } 为止：在那之前每个新请求都会发到 Telegram。
telegram-other-auto = { $name } 改回了自动判断是否在场。
telegram-other-paused = ⏸ { $name } 暂停到 { $time }：没有通知，这里也不会有新卡片。
telegram-other-resumed = { $name } 结束了暂停。
# 在等的多于卡片时，放在列表下面。
telegram-list-overflow = 📥 还有请求没有发成卡片，请看列表，或发送 /pending。
telegram-list-elsewhere = 它在这里没有卡片，请到电脑上回答。

# 配对、命令、对不上任何卡片的话。
telegram-paired = 已与 { $name } 配对。你离开时，智能体的问题会发到这里。
telegram-nobody-left = 已经没有配对的人可以回答，所以这里不会再有请求。要配对，请在电脑上运行“beckon telegram pair”，再把代码发到这里。
telegram-parted = 🔒 这个聊天已不再配对。
telegram-unpaired = 这个对话不再配对，不会再有消息发到这里。
telegram-code-expired = 这个链接已经失效。重新生成：beckon telegram pair
telegram-which-card = 什么也没有送出。请直接回复你要回答的那张卡片，这样才知道答的是哪一张。
telegram-no-card = 什么也没有送出：那条消息不是开着的卡片。请回复你要回答的那张卡片，用你自己的话。
telegram-reply-in-place = 什么也没有送出：你是在别的话题或聊天里回复那张卡片的。请到卡片所在的地方直接回复它。
telegram-part-left-out = 这一段来得太晚，没有并入你的回答：智能体只收到了前面的部分。如果重要，请直接告诉智能体。
telegram-looks-cut = 你的回答差不多有一条消息的上限那么长，后面没有再收到内容。如果你写的比这更长，后半部分就没有收到。
telegram-text-only = 我只能读文字。什么也没有送出，请写成文字。
telegram-caption-only = 我只能读文字：只收下了说明文字，附带的内容没有收下。
telegram-not-understood = 现在没有卡片在等文字回复。/pending 查看待处理的请求，/help 查看命令。
telegram-presence-set-auto = 已恢复自动判断。
telegram-presence-set-here = 已设为在场，直到你更改。
telegram-presence-set-here-until = 已设为在场，到 { $time } 为止。
telegram-presence-set-away = 已设为离开，直到你更改。
telegram-presence-set-away-until = 已设为离开，到 { $time } 为止。
telegram-test = 🔔 Beckon 的测试卡片，{ $time }。卡片能送到这里。点一下按钮，看看答案能不能回去。
telegram-test-button = 收到了
telegram-test-back = ✅ 收到了 · { $time }
telegram-anonymous = 你在这里以匿名管理员的身份发言，Telegram 不会透露你是谁。请以自己的身份再发一次：在管理员权限里关掉“保持匿名”，或把发送者换成自己。
telegram-code-exposed = 这条消息是以群或频道的身份发的，Telegram 不会透露是谁，所以没有配对任何人。这里的人都能看到这个代码，它已经失效。请把发送者换成自己（在管理员权限里关掉“保持匿名”），再用这个命令生成新代码：beckon telegram pair
telegram-unknown-command = 没有这个命令。/help 列出所有命令。
telegram-command-no-answer = { $command } 是给机器人的命令，没有作为回答送出。如果这就是你的回答，请在前面加一个词再发。
telegram-unclear-length = 没看懂要多久。请写数字加 m、h 或 d，例如 /away 2h
telegram-help =
    /pending：待处理的请求
    /status：智能体、在场状态、运行状况
    /away、/here、/auto：设置在场或离开；“/away 1h” 一小时后自动恢复
    授权请求也可以回复数字：1 允许一次，2 始终允许，3 拒绝；“继续吗？”回复 1 或 2。
    用卡片上的按钮回答，或者直接回复它。给卡片加 👀 表示已看到，不再提醒。

telegram-time-at = { $time }

# Telegram 本身的情况。
telegram-no-token = 尚未设置，用这个命令设置：beckon telegram login
telegram-token-refused = 令牌被拒绝。到 @BotFather 重新生成，然后运行：beckon telegram login
# 几台电脑经中枢共用一个机器人。
telegram-served-by = @{ $bot } 由 { $machine } 负责，这里的请求经那台电脑发到手机
telegram-served-soon = 还没确定 @{ $bot } 由哪台电脑负责
telegram-served-left = 这台电脑已退出中枢：只要那里还有电脑负责 @{ $bot }，这里就不发送任何内容，至少每十分钟再看一次。要在这里使用它，请在那边移除令牌；不用的话，在这里移除
telegram-served-foreign = 有别人在用 @{ $bot }：另一个中枢，或另一个程序。在此期间这里不发送任何内容，至少每十分钟再看一次。一个机器人只能用于一个中枢：给这个中枢另建一个，或在那边移除令牌
telegram-served-unknown = 连不上中枢，不知道 @{ $bot } 由哪台电脑负责。如果没有，几分钟后由这台接手
telegram-unknown-here = 什么也没有送出：现在找不到这个请求。稍后再按一次，或在提问的电脑上回答。
telegram-press-again = 已换另一台电脑接手。这是现在的列表，请再按一次。
telegram-nobody-paired = 还没有配对，用这个命令配对：beckon telegram pair
telegram-nobody-open = 已配对的人都屏蔽了机器人或从未打开过它；请在 Telegram 中打开它并点“开始”
# Telegram 能用，但某个聊天有问题。$name 是某个人或某个群。
telegram-chat-held-back = { $time } 之前 Telegram 不接受发给“{ $name }”的消息；在那之前请在电脑上回答
telegram-chat-blocked = “{ $name }”屏蔽了机器人，什么都发不过去。请对方在 Telegram 中打开它并点“开始”
telegram-chat-removed = 机器人被移出了“{ $name }”，什么都发不过去。请把它加回群里，或取消与这个群的配对
telegram-cards-refused = Telegram 拒收 { $count } 张卡片（{ $reason }）。会再试；在那之前请在电脑上回答
# $reason 是下面的某一条。试令牌的时候不说这一句。
telegram-cards-wait = { $reason }；卡片等到恢复再发
telegram-trouble-network = 连不上 Telegram（{ $detail }）
# 通往 Telegram 的代理；$proxy 是它的地址。
telegram-proxy-unreachable = 代理 { $proxy } 没有回应（{ $detail }）。启动它，或改正 config.toml 里的 telegram.proxy
telegram-proxy-another-user = 在 { $proxy } 监听的是这台电脑上的另一个用户，所以没有把代理密码交给对方。如果本来就该这样，请在 config.toml 里设置 telegram.any_user = true
telegram-proxy-protocol = { $proxy } 处应答的不是这种代理。检查 telegram.proxy 的开头（socks5:// 或 http://）和端口
telegram-proxy-password-missing = 代理 { $proxy } 要用户名和密码。把用户名写进 telegram.proxy，例如 socks5://NAME@proxy.example:1080，密码用这个命令保存：beckon secret set telegram:proxy
telegram-proxy-password-refused = 代理 { $proxy } 拒绝了用户名或密码。用这个命令保存正确的密码：beckon secret set telegram:proxy
telegram-proxy-password-unwanted = 代理 { $proxy } 不接受用户名。把它从 telegram.proxy 里去掉
telegram-proxy-password-out-of-reach = 读不到代理 { $proxy } 的密码：{ $detail }
telegram-proxy-no-route = 代理 { $proxy } 有回应，但连不到 Telegram（{ $detail }）。换一个代理试试
telegram-trouble-server = Telegram 出了故障（{ $detail }）
telegram-trouble-too-fast = Telegram 要求等 { $detail } 秒
telegram-trouble-odd = 读不懂 Telegram 的回应，看看 config.toml 里的 telegram.api_url 对不对
telegram-trouble-other = Telegram 拒绝：{ $detail }
telegram-trouble-other-poller = 有别的程序在读这个机器人的消息。结束它，或到 @BotFather 给 Beckon 单独建一个机器人
telegram-trouble-webhook = 这个机器人设了 webhook，属于别的程序。到 @BotFather 给 Beckon 单独建一个机器人
telegram-old-card = 这张卡片是以前的，什么也没有送出。
telegram-menu-pending = 待处理的请求
telegram-menu-status = 智能体、在场状态、运行状况
telegram-menu-away = 设为离开；“/away 1h” 一小时后自动恢复
telegram-menu-here = 设为在场
telegram-menu-auto = 自动判断在场状态
telegram-menu-help = 命令列表
