# 窗口。$text、$label、$place、$answer 等是别人的原话。

ui-age-seconds = { $count } 秒
ui-age-minutes = { $count } 分钟
ui-age-hours = { $count } 小时
ui-age-days = { $count } 天
ui-time-yesterday = 昨天 { $time }
ui-time-tomorrow = 明天 { $time }
ui-time-date = { $date } { $time }

# 两个窗口共用。
ui-ok = 知道了
ui-back = 返回
ui-close = 关闭
ui-copy = 复制
ui-copy-of = 复制 { $what }
ui-open-session = 打开会话
ui-copied = 已复制
ui-link-open = 在浏览器中打开
ui-text-more = 显示更多（还有 { $count } 个字符）
ui-and-more = 还有 { $count } 项
ui-lost-title = 连不上 Beckon
ui-lost-text = 后台服务没有运行。智能体会继续等，什么都不会丢。用这个命令启动：
ui-lost-again = 重试

# 回答窗口。
ui-subagent = 子智能体
ui-waits-for = 已等 { $age }
ui-last-words = 智能体的说明
ui-fold = 收起
ui-unfold = 展开全部
ui-answer-stale = 智能体可能已不再等待。你仍可回答，若它还在等就会送达。
ui-answer-missing = 请先选择或填写答案。
ui-no-text = （没有问题内容）
ui-no-label =（没有名称）
ui-no-questions = 问题没有文字
ui-only-dismiss = 这个问题没有可答的选项，只能忽略。
ui-own = 输入自己的答案…
ui-own-add = 补充其他答案…
ui-own-only = 你的答案
ui-find-choice = 查找选项
ui-choices-found = { $count } 个选项
ui-choices-more = 显示更多选项（还有 { $count } 个）
ui-chosen = 已选 { $count } 项
ui-step = 第 { $number } 题，共 { $count } 题
ui-next = 下一题
# Beside the sign of the Enter key, while nothing is chosen.
ui-pick = 选择
ui-to-review = 核对
ui-review = 核对
ui-review-title = 将要发送的答案
ui-no-answer-yet = 还没有答案
ui-change = 修改
ui-change-which = 修改第 { $number } 题的答案
ui-answer = 回答
ui-answer-which = 回答第 { $number } 题
ui-send = 发送
ui-sending = 正在发送
ui-undo = 撤回
ui-undo-counting = { $count } 秒后发送
ui-dismiss = 忽略
ui-yes-dismiss = 确定忽略
ui-sure-dismiss = { $count ->
    [one] 忽略这个问题？
   *[other] 忽略全部 { $count } 个问题？
}
ui-sure-dismiss-means = 智能体得不到答案，只会知道你忽略了它。

# 授权请求的标题。$project 是目录名；$what 是程序、文件名、主机、技能或智能体自己的叫法。
# 没有项目名时。
place-on = { $machine } 上的 { $project }
place-machine = 在 { $machine } 上
title-nobody = 智能体
title-run = { $project } 想运行 { $what }
title-run-unknown = { $project } 想运行命令
title-edit = { $project } 想修改 { $what }
title-edit-unknown = { $project } 想修改文件
title-write = { $project } 想写入 { $what }
title-write-unknown = { $project } 想写入文件
title-read = { $project } 想读取 { $what }
title-read-unknown = { $project } 想读取文件
title-leave = { $project } 想访问项目之外的文件
title-fetch = { $project } 想访问 { $what }
title-fetch-unknown = { $project } 想访问网页
title-search = { $project } 想搜索网页
title-tool = { $project } 想使用 { $what }
title-tool-of = { $server }：{ $tool }
title-delegate = { $project } 想启动子智能体
title-skill = { $project } 想使用技能 { $what }
title-skill-unknown = { $project } 想使用技能
title-plan = 按此计划执行？
title-repeat = { $project } 在重复同一步，继续吗？
title-find = { $project } 想查找文件
title-grep = { $project } 想在文件中搜索
title-list = { $project } 想列出目录内容
title-other = { $project } 想使用 { $what }
title-other-unknown = { $project } 请求授权
title-comma = 、
title-more = { $what } 等（还有 { $count } 个）
# 只知道种类的地方。
ui-wants = 允许“{ $name }”？
ui-wants-bash = 允许运行命令？
ui-wants-edit = 允许修改文件？
ui-wants-write = 允许写入文件？
ui-wants-read = 允许读取文件？
ui-wants-webfetch = 允许访问网页？
ui-wants-external_directory = 允许访问项目目录之外？
ui-wants-websearch = 允许搜索网页？
ui-wants-plan = 按这个计划进行？
ui-wants-doom_loop = 它在原地打转，还要继续吗？
ui-wants-task = 允许启动子智能体？
ui-wants-skill = 允许使用技能？
ui-wants-glob = 允许查找文件？
ui-wants-grep = 允许在文件中搜索？
ui-wants-list = 允许列出目录？
ui-wants-mcp = 允许使用 { $server } 的“{ $tool }”？
ui-wants-confirm = 继续吗？
ui-unknown = 智能体发来了一个请求，但 Beckon 看不懂它的格式
ui-unknown-means = Beckon 无法判断回答意味着什么，所以这里不能回答。请到运行智能体的地方去回答。收到的内容如下：
ui-topic-set = { $count ->
    [0] 等你答复
   *[other] { $count } 个问题
}
ui-command = 命令
ui-patterns = 适用范围
ui-no-details = 智能体没有提供详情。
ui-deceptive = 这个请求里有隐藏或容易看错的内容。允许之前请仔细查看。
ui-command-long = 命令没有全部显示。展开看完再决定。
ui-change-of-file = 改动
ui-diff-lines = 增加 { $added } 行，删除 { $removed } 行
ui-lines-more = 显示更多行（还有 { $count } 行）
ui-diff-cut = 改动太大，这里缺 { $count } 个字符。
ui-once = 允许一次
ui-always-more = 始终允许…
ui-always-what = 始终允许 { $what }…
ui-reject-more = 拒绝…
ui-reject = 拒绝
ui-yes-always = 确定始终允许
ui-sure-always = 确定始终允许？
ui-sure-always-means = { $kind ->
    [bash] 在智能体的服务器退出前，匹配以下规则的命令会直接运行，不再询问：
    [edit] 在智能体的服务器退出前，修改匹配以下规则的文件不再询问：
   *[other] 在智能体的服务器退出前，以下全部允许，不再询问：
}
ui-sure-always-session = 在会话结束之前，以下全部不再询问：
ui-sure-always-project = { $kind ->
    [bash] 在这个项目里，匹配以下规则的命令会直接运行，不再询问，直到你在设置里撤销：
    [edit] 在这个项目里，匹配以下规则的文件会直接修改，不再询问，直到你在设置里撤销：
   *[other] 在这个项目里，以下全部不再询问，直到你在设置里撤销：
}
ui-sure-always-unsaid = 以下全部不再询问，持续多久由智能体决定：
# 单独一个星号代表什么。
ui-always-all = { $kind ->
    [bash] 所有命令
    [edit] 所有文件
   *[other] 这一类的全部操作
}
ui-sure-reject = 确定拒绝？
ui-sure-reject-means = 智能体会读到你写的理由，也可以不写。
ui-reason = 理由
ui-go-on = 继续
ui-cancel = 到此为止

ui-queue = 其他等待中的请求
ui-queue-count = 还有 { $count } 个
ui-queue-snoozed = { $count } 个稍后提醒
ui-queue-key = 下一个
ui-queue-none = 没有其他请求在等待
ui-empty = 没有智能体在等你
ui-empty-today = 今天已回答 { $count } 个，等待时间中位数 { $age }
ui-empty-today-none = 今天还没有提问
ui-empty-watching = 正在关注 { $count } 个智能体服务器
ui-empty-deaf-title = 没有连接任何智能体
ui-empty-deaf = 连不上智能体服务器，无法知道是否有智能体在等。Beckon 会继续重试。
ui-empty-settings = 设置…

# 待处理：所有等待中的请求。
ui-inbox = 待处理
ui-inbox-waiting = { $count } 个待处理
ui-inbox-new = 新到 { $count } 个
ui-inbox-snoozed = 稍后
ui-inbox-held = 由别人决定
ui-filter = 筛选
ui-filter-found = { $count } / { $of }
ui-filter-none = 没有符合的请求。
ui-open = 打开
ui-select = 选择
ui-selected = 已选中
# 每行的内容。$what 是命令、文件、主机、工具等别人的原话。
ui-do-run = 运行 { $what }
ui-do-run-unknown = 运行命令
ui-do-edit = 修改 { $what }
ui-do-edit-unknown = 修改文件
ui-do-write = 写入 { $what }
ui-do-write-unknown = 写入文件
ui-do-read = 读取 { $what }
ui-do-read-unknown = 读取文件
ui-do-leave = 访问 { $what }
ui-do-leave-unknown = 访问项目之外的文件
ui-do-fetch = 访问 { $what }
ui-do-fetch-unknown = 访问网页
ui-do-search = 搜索网页
ui-do-tool = 使用 { $what }
ui-do-tool-unknown = 使用工具
ui-do-delegate = 启动子智能体
ui-do-skill = 使用技能 { $what }
ui-do-skill-unknown = 使用技能
ui-do-plan = 按此计划执行？
ui-do-repeat = 一直在重复同一步，继续吗？
ui-do-find = 查找文件
ui-do-grep = 在文件中搜索
ui-do-list = 列出目录内容
ui-do-other = 使用 { $what }
ui-do-other-unknown = 请求授权
# 下面一行。
ui-row-question = 问题
ui-row-permission = 授权
ui-row-confirm = 确认
ui-row-change = +{ $added } −{ $removed }
ui-row-similar = { $count } 个相似的授权请求
ui-row-returned = 未送达
ui-row-stale = 可能已不再等待
ui-row-answered = 已回答
ui-row-allowed = 已允许一次
ui-row-left = 已不再等待
ui-risk-deletes = 会删除文件
ui-risk-admin = 需要管理员权限
ui-risk-rewrites = 会覆盖已有改动
ui-risk-runs-download = 会运行下载的内容
ui-risk-outside = 在项目之外
# 几个相似的授权请求。$deed 是 ui-do 里的文字。
ui-pile = { $deed }，共 { $count } 次
ui-pile-list = 允许的内容
ui-pile-allow = 允许 { $count } 个，仅一次
ui-pile-allow-more = 允许 { $count } 个…
ui-pile-left = { $count } 个已不再等待
ui-pile-changed = { $count } 个内容有变，已移出
ui-pile-failed = { $what }：{ $message }
ui-pile-look = 需要单独查看

# 已看到、稍后。$until 是 ui-until 里的文字。
ui-see = 已看到，不再提醒
ui-unsee = 恢复提醒
ui-seen = 已看到
ui-is-seen = 已看到，不会再提醒。
ui-snooze = 稍后
ui-snooze-for = { $span }后再提醒
ui-snooze-back = 等我回来再提醒
ui-is-snoozed = 稍后提醒：{ $until }
ui-wake = 立即恢复
ui-until = { $time }
ui-until-back = 等你回来
ui-more-of = “{ $what }”的更多操作

# 全部按键。
ui-keys = 全部按键
ui-keys-answer = 回答
ui-keys-go = 前往
ui-keys-later = 稍后处理
ui-key-choose = 选择
ui-key-send = 选择，再发送
ui-key-both = 选择并发送
ui-key-once = 允许一次
ui-key-always = 始终允许…
ui-key-reject = 拒绝…
ui-key-own = 自己写
ui-key-undo = 撤回
ui-key-inbox = 待处理
ui-key-rows = 下一行、上一行
ui-key-next = 下一个请求
ui-key-filter = 筛选
ui-key-session = 打开会话
ui-key-select = 选择
ui-key-seen = 已看到
ui-key-snooze = 稍后…

# 结果。$act 是 ui-act 里的文字，$by 是 ui-by 里的文字。
ui-act-answer = { $what }
ui-act-once = 允许一次
ui-act-always = 始终允许
ui-act-deny = 已拒绝
ui-act-dismiss = 已忽略
ui-act-go-on = 继续
ui-act-cancel = 到此为止
ui-notice-sending = { $place }：{ $act }，发送中
ui-notice-taken = { $place }：{ $act }，智能体已收到
ui-notice-batch = { $place }：{ $count } 个已允许一次
ui-notice-snoozed = { $place }：{ $count ->
    [one] 稍后提醒（{ $until }）
   *[other] { $count } 个稍后提醒（{ $until }）
}
ui-notice-failed = { $place } 还在等：{ $message }
ui-notice-elsewhere = { $place }：已{ $by }回答
ui-notice-elsewhere-what = { $place }：{ $answer }，已{ $by }回答
ui-notice-dismissed = { $place }：已{ $by }忽略
ui-notice-expired = { $place }：问题已过期
ui-notice-gone = { $place }：智能体已不再等待
# What a rejection takes along. More than 9 are not counted.
asked-times = 同样的请求提了 { $count } 次，回答一次，全部生效。
risk-deletes = 会删除文件，无法恢复。
risk-admin = 以管理员权限运行。
risk-rewrites = 会丢弃或覆盖已有的改动。
risk-runs-download = 会直接运行刚下载的内容。
risk-outside = 会触及项目之外的位置。
also-rejects = { $count ->
    [9] 拒绝这一个，会同时拒绝此会话的其他至少 9 个请求。
   *[other] 拒绝这一个，会同时拒绝此会话的其他 { $count } 个请求。
}
also-rejects-perhaps = { $count ->
    [9] 拒绝这一个，可能会同时拒绝此会话的其他至少 9 个请求。
   *[other] 拒绝这一个，可能会同时拒绝此会话的其他 { $count } 个请求。
}
# 回答为什么被退回。$why 是智能体的原话。
returned-refused = 智能体没有接受回答：{ $why }
returned-unauthorized = 智能体的服务器拒绝了 Beckon 的令牌。请更新令牌后再回答。
returned-forbidden = 智能体的服务器说，这是另一个用户的。
returned-unproven = 连接中断，无法确认智能体是否收到。请先查看，再决定是否重新回答。
returned-changed = 智能体现在问的已经不是原来的内容，你的回答没有送出。看清楚再答。
returned-undelivered = 回答没有送到（{ $why }），之后也不会再送：到那时智能体问的可能已经是别的事。请再答一次。
returned-unconfirmed = 提问之后连接断过，智能体现在等的可能已经是别的事。回答没有发出。确认它还在问这个，再答一次。
returned-no-thread = 服务没有说这是哪个线程，所以在这里无法回答。请到那边回答，或者在 config.toml 的 [[interrupts]] 里写上线程（thread = "…"）。取消或忽略只会把它从列表里去掉。
returned-needs-another = 你的同意已计入，还要团队里另一个人同意。
# 由团队决定：$who 是可以决定的人，$agreed 是已经同意的人（需要两人同意时）。
hold = 待他人决定：可由 { $who } 决定。
hold-nobody = 待他人决定，但团队里现在没有人可以决定。你仍可在智能体里回答。
hold-agreed = { $agreed } 已同意，还需另一个人同意：{ $who }。
hold-agreed-nobody = { $agreed } 已同意，还需另一个人同意，但团队里现在没有人可以。
hold-yours = 你的同意已计入，还需另一个人同意：{ $who }。
hold-yours-nobody = 你的同意已计入，还需另一个人同意，但团队里现在没有人可以。
hold-comma = 、
hold-or = { $names } 或 { $last }
hold-and = { $names } 和 { $last }
undelivered = 你的回答还没有送到智能体：{ $why }。Beckon 会继续尝试。
undelivered-unconfirmed = 回答已经发给智能体，但它还没有确认。Beckon 会继续查问。
attention-wanted = 可以再次提醒了。
attention-seen = 👀 已看到：不再提醒，也不转到手机
attention-snoozed = 💤 稍后处理，{ $time } 再提醒
attention-until-back = 💤 稍后处理，你回来时再提醒
undelivered-title = 还没有送达：{ $about }
ui-lost-typed = 你写的内容没有发出
# 从 Beckon 始终允许的内容，以及各自的期限。
ui-granted = 始终允许
ui-granted-none = 还没有从 Beckon 始终允许过任何操作。
ui-granted-all = 全部显示（{ $count } 项）
ui-granted-when = { $at } { $by }允许
ui-granted-run = 命令
ui-granted-edit = 修改文件
ui-granted-read = 读取文件
ui-granted-leave = 项目之外的文件
ui-granted-session = 到会话结束为止
ui-granted-server = 到 OpenCode 重启为止
ui-granted-server-ended = 之后 OpenCode 又启动过
ui-granted-server-unwatched = 到 OpenCode 退出为止；现在没有关注这个名字的服务器
ui-granted-revoked = 到你撤销为止
ui-granted-revoked-ended = 已不在服务器的名单上
ui-granted-revoked-unknown = 到撤销为止；现在联系不上它的服务器
ui-granted-revoked-unwatched = 到撤销为止；现在没有关注这个名字的服务器
ui-revoked = 已撤销
ui-granted-unsaid = 期限由智能体决定
ui-revoke = 撤销
ui-revoke-which = 撤销 { $what }
ui-by-notification = 在桌面通知里
ui-by-tray = 在托盘里
ui-by-window = 在窗口里
ui-by-cli = 在终端里
ui-by-api = 通过 API
ui-by-telegram = 在 Telegram 上
ui-by-clock = 超时
ui-by-elsewhere = 在别处
ui-by-person-device = 由 { $person } 在 { $device } 上
ui-by-person = 由 { $person } 
ui-by-device = 在 { $device } 上

# 设置窗口。
ui-settings-title = Beckon 设置
ui-tab-general = 通用
ui-tab-agents = 智能体
ui-tab-telegram = 手机
ui-tab-presence = 在场状态
ui-tab-notifications = 通知
ui-tab-history = 活动
ui-tab-health = 运行状况
ui-tab-trouble =（需要处理）
ui-file-broken = 设置文件有错误，修正之前沿用上一份有效设置。
ui-never = 从不
ui-save = 保存
ui-test = 测试
ui-testing = 正在测试…
ui-edit = 编辑…
ui-edit-which = 编辑 { $name }
ui-edit-name-text = 它的请求会以新名称重新出现。
ui-edit-url-text = 换了地址就是另一台服务器，现在这台的请求会从列表中消失。
ui-edit-password-withheld = 这是另一台服务器，密码不会发给它。保存后可以另行输入。
ui-edit-bearer-withheld = 这是另一个服务，令牌不会发给它。保存后可以另行输入。
ui-remove = 移除
ui-remove-more = 移除…
ui-remove-which = 移除 { $name }
ui-remove-sure = 移除 { $name }？
ui-works = 正常
ui-note = 提示
ui-fails = 异常
ui-channel-works = 正常
ui-channel-down = 不可用
ui-channel-starting = 正在启动
ui-channel-standby = 由另一台电脑负责
ui-channel-off = 尚未设置

ui-agents-lead = 这些智能体的请求都会送到你面前。
ui-agents-servers = 我的服务器
ui-agents-registered = 自动接入
ui-agents-none = 还没有服务器
ui-agents-none-text = 填入正在运行的 OpenCode 的地址，opencode serve 启动时会显示。
ui-agents-sight = 覆盖范围
ui-agents-seen = 可以收到
ui-agents-seen-text = 这些服务器的全部会话、全部目录、任意层级的子智能体，以及 Beckon 启动之前的提问。
ui-agents-unseen = 收不到
ui-agents-unseen-text = 终端或桌面应用里不开端口的 OpenCode，除非装了插件。
ui-agents-unseen-interrupts = 中断服务：Beckon 断线期间的请求，除非服务重新发送。
ui-nearby = 附近
ui-nearby-title = 局域网里的服务器
ui-nearby-text = 查找用 --mdns 启动的服务器。你添加之后 Beckon 才会连接。
ui-nearby-look = 搜索
ui-nearby-looking = 正在搜索…
ui-nearby-use = 添加…
ui-nearby-nobody = 没有找到其他服务器。
ui-plugin-yes = 插件已安装
ui-plugin-outdated = 插件来自另一版本的 Beckon
ui-plugin-foreign = 插件的文件名被其他程序占用，无法安装：{ $file }
ui-plugin-install = 安装插件
ui-plugin-update = 更新插件
ui-plugin-remove = 移除插件
ui-plugin-installed = 已安装。正在运行的 OpenCode 重启后生效。
ui-plugin-removed = 已移除。正在运行的 OpenCode 重启后才会停用。
# 这台电脑上的 OpenCode：$count 个在运行，$missing 个未接入，$restart 个重启后接入。
ui-opencode-none = 没有在运行。装上插件后，在终端或桌面应用里启动的 OpenCode 都会接入。
ui-opencode-ready = 在这台电脑上启动的 OpenCode 都会接入。
ui-opencode-all = { $count ->
   *[other] { $count } 个在运行，全部已接入
}
ui-opencode-missing = { $count } 个在运行，{ $missing } 个未接入
ui-opencode-restart = { $count } 个在运行，{ $restart ->
   *[other] { $restart } 个重启后接入
}
ui-local = 这台电脑
ui-local-connected = 已接入
ui-local-unconnected = 未接入
ui-local-restart = 请重启这里的 OpenCode
ui-local-somewhere = OpenCode
ui-claude-code = Claude Code
ui-hooks-looking = 正在检查…
ui-hooks-not-found = 这台电脑上没有找到。安装之后，可以在这里添加钩子。
ui-hooks-no = 这台电脑上有，但未接入
ui-hooks-yes = 已通过钩子接入
ui-hooks-there = 已添加钩子
ui-hooks-outdated = 钩子来自另一版本的 Beckon 或 Claude Code
ui-hooks-add = 添加钩子
ui-hooks-update = 更新钩子
ui-hooks-remove = 移除钩子
ui-hooks-added = 已添加，正在运行的会话也会生效。
ui-hooks-removed = 已移除。
ui-mcp-any = 任何支持 MCP 的智能体
ui-mcp-text = 让智能体可以向你提问。把配置粘贴到它的 MCP 设置里。
ui-mcp-copy = 复制配置
ui-mcp-copied = 已复制，请粘贴到智能体的 MCP 设置里。
ui-source-live = 已连接，版本 { $version }
ui-source-live-plain = 已连接
ui-source-connecting = 正在连接
ui-source-unreachable = 连不上：{ $error }。Beckon 会继续尝试。
ui-source-unauthorized = 令牌缺失或有误
ui-source-unauthorized-password = 密码缺失或有误
ui-source-experimental = 试验功能：按公开的接口实现，任务完成时不会通知。
ui-kind-opencode = OpenCode
ui-kind-interrupts = 支持中断的服务
ui-kind-langgraph = LangGraph
ui-kind-beckon = 另一个 Beckon
ui-password = 密码
ui-password-set = 设密码…
ui-password-replace = 换密码…
ui-password-needed = 输入密码…
ui-password-new = 新密码
ui-password-text = 存入系统钥匙串，之后不再显示。
ui-password-forget = 清除
ui-bearer = 令牌
ui-bearer-set = 设令牌…
ui-bearer-replace = 换令牌…
ui-bearer-needed = 输入令牌…
ui-bearer-new = 新令牌
ui-add-server = 添加服务器
ui-add-kind = 类型
ui-add-kind-opencode = OpenCode 服务器，或另一个 Beckon
ui-add-kind-interrupts = 发送中断事件，在 /resume 接受回答
ui-add-kind-langgraph = LangGraph 服务器，Beckon 会检查它的线程
ui-add-turn = 切换为 { $kind }
ui-add-name = 名称
ui-add-name-text = 在 Beckon 里显示的名称
ui-add-name-taken = 这个名称已被使用。
ui-add-url = 地址
ui-add-url-opencode = OpenCode 监听的地址
ui-add-url-interrupts = 通知“有线程在等待”的事件流
ui-add-url-langgraph = LangGraph 监听的地址
ui-add-events = 事件地址
ui-add-resume = 回答地址
ui-add-resume-text = 后面会加上线程的 id。留空则与事件地址并列。
ui-add-user = 用户名
ui-add-test = 测试并添加
ui-add-anyway = 仍然添加
ui-added = 已添加 { $name }

ui-telegram-lead = 你离开后，问题会发到这里，点一下即可回答。
ui-telegram-bot = 你的机器人
ui-bot-make = 创建机器人
ui-bot-make-text = 在 Telegram 里给 @BotFather 发 /newbot，起个名字，它会回复一个令牌。
ui-bot-open = 打开 @BotFather
ui-token = 机器人令牌
ui-token-text = 粘贴在这里。只存入系统钥匙串，不留在别处。
ui-token-check = 检查并保存
ui-token-keychain = 令牌保存在系统钥匙串里
ui-token-environment = 令牌来自环境变量 BECKON_TELEGRAM_TOKEN
ui-token-replace = 更换…
ui-telegram-logout-sure = 清除令牌和全部配对？
ui-proxy = 代理
ui-proxy-none = 没有设置。适用于连不上 Telegram 的网络。
ui-proxy-works = 可用：{ $proxy }
ui-proxy-trouble = 不可用：{ $proxy }
ui-proxy-set-up = 设置…
ui-proxy-change = 更改…
ui-proxy-remove-sure = 不再经代理连接 Telegram？
ui-proxy-address = 代理地址
ui-proxy-address-text = 例如 socks5://127.0.0.1:1080 或 http://user@proxy.example:8080
ui-proxy-password = 密码
ui-proxy-password-text = 代理需要时才填。它会存进系统钥匙串，之后不再显示。
ui-proxy-password-kept = 钥匙串里已有一个。留空就保持不变。
ui-proxy-no-user = 有密码时，地址里要有用户名，例如 socks5://user@proxy.example:1080。
ui-telegram-meanwhile = 这台电脑上照常提醒。
ui-telegram-people = 谁可以回答
ui-person = 可以回答全部问题
ui-person-group = 群组：其中已配对的成员都可以回答
ui-person-remove-sure = 之后不再往那里发送。
ui-pair = 配对手机
ui-pair-another = 再配对一部手机
ui-pair-text = 只有已配对的人会收到问题，也只有他们能回答。
ui-pair-do = 显示二维码
ui-pair-scan = 用手机扫码
ui-pair-scan-text = 也可以在手机上打开链接，在与 { $bot } 的对话里点“开始”。只能用一次，{ $age }内有效。
ui-pair-code = 链接的二维码
ui-pair-late = 二维码已经失效。
ui-telegram-when = 何时在 Telegram 上提醒
ui-telegram-forward = 转发问题
ui-telegram-forward-away = 我离开时
ui-telegram-forward-always = 始终
ui-telegram-forward-never = 从不
ui-telegram-forward-away-text = 你离开或无法判断时、通知不可用时，或 { $age }没有回答时。
ui-telegram-forward-away-only-text = 你离开或无法判断时，或通知不可用时。
ui-telegram-forward-always-text = 每个问题都会同时在桌面和手机上提醒。
ui-telegram-forward-never-text = 什么都不发到 Telegram，没人回答也不发。
ui-telegram-test = 测试卡片
ui-telegram-test-text = 发给所有已配对的人，带一个按钮。
ui-telegram-test-do = 发送测试卡片
ui-telegram-test-sent = 已经发出，到 Telegram 里点一下按钮。
ui-telegram-test-back = { $name } 在 { $age }后点了按钮，收发都正常。
ui-telegram-test-late = 还没有人点，稍后再点也有效。
ui-telegram-test-nowhere = 没有发出：机器人无权给任何已配对的人发消息。

ui-presence-lead = 你在电脑前时，问题在这里提醒；你离开或没有回答时，会转到 Telegram。
ui-presence-lead-always = 无论你在哪里，问题都会同时在这台电脑和 Telegram 上提醒。
ui-presence-lead-none = 问题只在这台电脑上提醒。Telegram 没有设置好，或已关闭转发，所以什么都不会发过去。
ui-presence-now = 现在
ui-presence-here = 现在：在场
ui-presence-away = 现在：离开
ui-presence-unknown = 无法判断你是否在场
ui-presence-say = 手动设置
ui-presence-say-auto = 自动
ui-presence-say-here = 在场
ui-presence-say-away = 离开
ui-presence-say-hour = 离开 1 小时
ui-evidence-said = 由你设置
ui-evidence-said-until = 由你设置，到 { $time } 为止
ui-evidence-input = { $age }前有键盘或鼠标输入（{ $source }）
ui-evidence-using = 正在使用键盘或鼠标（{ $source }）
ui-evidence-idle = 已有 { $age }没有输入（{ $source }）
ui-evidence-no-input = 有一阵没有输入（{ $source }）
ui-evidence-locked = 屏幕已锁定（{ $source }）
ui-evidence-asleep = 电脑在睡眠
ui-evidence-unknown = 这个桌面不提供活动信息
ui-legs = 判断依据
ui-leg-idle = 空闲时间
ui-leg-idle-missing = { $kind ->
    [system] 此系统不提供空闲检测。
   *[other] 此桌面不提供：空闲检测需要 X11、GNOME，或支持 ext-idle-notify 的 Wayland 桌面。
}
ui-leg-lock = 锁屏
ui-leg-lock-on = 已锁定（{ $source }）
ui-leg-lock-off = 未锁定（{ $source }）
ui-leg-lock-missing = { $kind ->
    [system] 此系统不报告锁屏状态。
   *[other] 此桌面不提供：logind 和屏幕保护程序都没有报告。
}
ui-leg-sleep = 睡眠
ui-leg-sleep-on = 即将睡眠（{ $source }）
ui-leg-sleep-off = 未睡眠（{ $source } 会预告睡眠）
ui-leg-sleep-missing = { $kind ->
    [system] 此系统不预告睡眠，Beckon 在唤醒后才知道。
   *[other] 连不上 logind，无法预知睡眠，Beckon 在唤醒后才知道。
}
ui-leg-both = { $missing }{ $rest }
ui-leg-rest-idle = 仍会使用空闲时间判断。
ui-leg-rest-lock = 仍会使用锁屏状态判断。
ui-leg-rest-none = 离开时请在上面手动设为“离开”。
ui-leg-disturb = 勿扰模式
ui-leg-disturb-on-never = 已开启：问题静默到达，关闭后会重新显示。
ui-leg-disturb-on-permissions = 已开启：问题静默到达，关闭后会重新显示。授权请求标为紧急，多数桌面会放行。
ui-leg-disturb-on-always = 已开启，但问题标为紧急，多数桌面会放行。
ui-leg-disturb-off = 未打开
ui-leg-disturb-unknown = 此桌面不告知是否开启了勿扰。问题标为紧急，可能会照常弹出。
ui-witness-none = 无
ui-witness-said = 你
ui-witness-x11 = X11
ui-witness-wayland = Wayland
ui-witness-mutter = GNOME
ui-witness-logind = logind
ui-witness-screen_saver = 屏幕保护
ui-witness-system = 系统
ui-witness-clock_jump = 时钟
ui-pause = 暂停提醒
ui-pause-text = 到时为止不弹通知，也不会有新消息发到 Telegram；问题留在托盘和回答窗口里。
ui-paused-until = 暂停到 { $time }：不弹通知，也不会有新消息发到 Telegram；问题留在托盘和回答窗口里。
ui-paused-band = 已暂停到 { $time }：不弹通知，也不会有新消息发到 Telegram。
ui-pause-half-hour = 30 分钟
ui-pause-tomorrow = 到明天
ui-pause-end = 恢复提醒
ui-away-when = 何时算离开
ui-away-after = 离开判定时间
ui-away-after-text = { $age }没有输入就视为离开，未回答的问题会转到 Telegram。
ui-away-after-text-always = { $age }没有输入就视为离开。问题始终会发到 Telegram。
ui-away-after-text-none = { $age }没有输入就视为离开。
ui-lock-is-away = 锁屏视为离开
ui-lock-is-away-on = 一锁屏，未回答的问题立刻发到 Telegram。
ui-lock-is-away-on-always = 一锁屏就视为离开。问题始终会发到 Telegram。
ui-lock-is-away-on-none = 一锁屏就视为离开。
ui-lock-is-away-off = 锁屏不算离开。
ui-escalation-after = 多久后也发到 Telegram
ui-escalation-after-text = 你在场但 { $age }没有回答，问题也会发到 Telegram。
ui-escalation-after-text-always = 目前不起作用：问题始终会发到 Telegram。
ui-escalation-after-text-none = 目前不起作用：Telegram 未设置，或已关闭转发。
ui-escalation-never-text = 你在场时，未回答的问题不会发到 Telegram。
ui-escalation-never-text-always = 问题始终会发到 Telegram。
ui-escalation-never-text-none = Telegram 未设置，或已关闭转发。
ui-remind = 重复提醒间隔
ui-remind-text = 未回答的问题每 { $age }再提醒一次。
ui-remind-never-text = 每个问题只提醒一次。
ui-quiet = 免打扰时段
ui-quiet-text = { $hours } 期间，Telegram 消息静音送达。
ui-quiet-none-text = 未设置。
ui-expire = 过期时间
ui-expire-text = 超过 { $age }未回答就拒绝，并告诉智能体问题已过期。
ui-expire-never-text = 问题会一直等到有人回答。
ui-before-dialog = 先于 OpenCode 的对话框提问
ui-before-dialog-text = 装了插件的 OpenCode 会先只在这里提问；{ $age }内没人回答，才弹出它自己的对话框。
ui-before-dialog-never-text = 问题同时出现在 OpenCode 和这里。

ui-notifications-lead = 设置这台电脑的提醒方式。
ui-desktop = 桌面通知
ui-desktop-daemon = 由 { $daemon } 显示
ui-desktop-nobody = 这个桌面的通知
ui-desktop-meanwhile = 问题仍会出现在托盘和窗口里。
ui-break-through = 勿扰模式下
ui-break-through-never = 先不提示
ui-break-through-permissions = 放行授权请求
ui-break-through-always = 全部放行
ui-break-through-never-text = 问题来了不会提示，关闭勿扰后会重新显示。
ui-break-through-permissions-text = 授权请求标为紧急，多数桌面会放行。其他问题在关闭勿扰后重新显示。
ui-break-through-always-text = 智能体的所有请求都标为紧急，多数桌面会放行。
ui-one-press = 一键允许
ui-one-press-unmarked = 仅限完整可见的请求
ui-one-press-all = 所有请求
ui-one-press-unmarked-text = 只有请求完整显示、没有隐藏内容、也没有标为危险时，通知和托盘才提供“允许一次”。其余的要先打开查看；在 Telegram 上要再确认一次。
ui-one-press-all-text = 通知和托盘始终提供“允许一次”，即使请求被截断、有隐藏内容或标为危险；在 Telegram 上也只需点一下。
ui-desktop-disturb-never = 勿扰模式已开启：问题静默到达，关闭后会重新显示。
ui-desktop-disturb-permissions = 勿扰模式已开启：授权请求标为紧急，其他问题不会提示，关闭后会重新显示。
ui-desktop-disturb-always = 勿扰模式已开启；问题标为紧急，多数桌面会放行。
ui-can-buttons = 按钮
ui-cannot-buttons = 没有按钮
ui-cannot-buttons-text = 通知里会写怎么回答。
ui-can-sound = 提示音
ui-cannot-sound = 没有提示音
ui-can-keeps = 通知列表
ui-cannot-keeps = 没有通知列表
ui-cannot-keeps-text = 通知关掉就不再保留，问题仍在托盘里。
ui-sound = 提示音
ui-sound-on = 有新请求或再次提醒时响一声，其他通知不出声。
ui-sound-unheard = 已打开，但这个桌面的通知不播放提示音。
ui-sound-off = 通知不出声。
ui-desktop-test = 测试问题
ui-desktop-test-text = 像智能体那样问你一个问题，点通知上的按钮即可。
ui-desktop-test-plain = 像智能体那样问你一个问题，通知里会写怎么回答。
ui-desktop-test-do = 发一个测试问题
ui-desktop-test-sent = 已经发出，看一下通知。
ui-desktop-test-answered = 你的回答：{ $answer }
ui-desktop-test-silent = 没有人回答。
# The test question, and its picture in the first run.
test-question = 你看得到这个问题吗？
test-question-title = 测试
test-question-yes = 看得到
test-question-no = 看不到
ui-turns-desktop = 桌面通知：任务耗时超过
ui-turns-desktop-text = 任务耗时超过 { $age }，完成后会发通知。
ui-turns-desktop-never-text = 任务完成时不发桌面通知。
ui-turns-telegram = Telegram 通知
ui-turns-telegram-on = 你离开时，完成或失败都会在 Telegram 上告诉你。
ui-turns-telegram-off = Telegram 只转发问题。
ui-answering = 回答
ui-autostart = 登录时启动 Beckon
ui-autostart-on = 重启电脑后也不会错过请求。
ui-autostart-off = 重启电脑后需要手动启动。
ui-updates = 检查新版本
ui-updates-on = 每天向项目询问一次，结果在“运行状况”里。请求不带任何内容，但和所有请求一样，对方看得到你的 IP 地址。
ui-updates-off = 不询问任何人。开启后每天向项目询问一次；请求不带任何内容，但和所有请求一样，对方看得到你的 IP 地址。
ui-config-open = 打开文件
ui-config-text = 多数设置也可以在这个文件里修改：{ $file }
ui-unanswered = 未回答的请求
ui-notifications-less = 提醒与免打扰
ui-quiet-from = 免打扰开始
ui-quiet-until = 免打扰结束
ui-quiet-to = 至
ui-language = 语言
ui-language-text = 用于窗口、通知、托盘和 Telegram
ui-language-auto = 跟随系统
ui-undo-setting = 发送后可撤回
ui-undo-on = 答案会等 3 秒再发出。
ui-undo-off = 答案立即发出。
ui-hotkey = 打开回答窗口的快捷键
ui-hotkey-text = 按下想用的组合键，留空则不用。部分桌面不支持。

ui-history-lead = 问过什么，谁在哪里回答，智能体等了多久。
ui-activity-waited = 智能体共等了你 { $age }
ui-activity-days = 近 7 天
ui-activity-answered = 回答了 { $count } 条
ui-activity-median = 中位数 { $age }
ui-activity-chart = 智能体等待的时间：{ $days }
ui-activity-below = 每天下方是等待时间的中位数
ui-activity-today = 今天
ui-activity-yesterday = 昨天
ui-history-search = 搜索
ui-history-filter = 筛选
ui-history-all = 全部
ui-history-endings = 结果
ui-history-surfaces = 回答途径
ui-history-export = 导出 { $format }
ui-history-exported = 已保存到 { $path }
ui-history-more = 显示更早的
ui-history-empty = 还没有记录。回答过的问题会显示在这里。
ui-history-nothing-found = 没有符合的记录。
ui-history-by = 已{ $by }回答
# 由另一个 Beckon 说明的回答者，它叫 $peer。
ui-responder-peer = { $name }（据 { $peer } 所说）
ui-responder-peer-unnamed = { $name }（据另一个 Beckon 所说）
ui-responder-unknown = 不知道是谁
ui-history-waited = 等了 { $age }
# $ending 是 ui-ending 里的文字，$reason 是人写的原话。
ui-history-because = { $ending }：{ $reason }
ui-ending-answered = 已回答
ui-ending-once = 允许一次
ui-ending-always = 始终允许
ui-ending-rejected = 已拒绝
ui-ending-continued = 已继续
ui-ending-cancelled = 到此为止
ui-ending-dismissed = 已忽略
ui-ending-expired = 已过期
ui-ending-gone = 智能体不再等了

ui-health-legs = 检查项
ui-health-looking = 正在检查…
ui-health-warning = 需要注意
ui-health-open = 打开“{ $tab }”
ui-way-agents = 智能体
ui-way-agents-none = 还没有接入
ui-way-agents-connecting = 正在连接…
ui-way-agents-connected = { $count } 个已接入
ui-way-agents-unreachable = { $of } 个中有 { $count } 个连不上
ui-way-beckon = Beckon
ui-way-beckon-running = 正在运行
ui-way-beckon-warnings = { $count } 处需要注意
ui-way-computer = 这台电脑
ui-way-computer-works = 通知已开启
ui-way-computer-off = 通知未开启
ui-way-computer-paused = 已暂停
ui-way-computer-disturb = 勿扰模式已开启
ui-way-computer-down = 弹不出通知
ui-way-phone = 手机
ui-way-phone-none = 未设置
ui-way-phone-nobody = 还没有人配对
ui-way-phone-down = Telegram 不通
ui-way-phone-works = 已配对 { $count } 人
ui-self-test = 自检
ui-self-test-title = 端到端测试
ui-self-test-text = 测试问题会依次经过数据库、通知和 Telegram，然后撤回。
ui-self-test-do = 开始
ui-self-test-runs = 正在进行…
ui-files = 文件
ui-logs = 日志
ui-logs-text = Beckon 做过什么；不含答案和令牌
ui-logs-open = 打开文件夹

ui-welcome-step = 第 { $number } 步，共 { $count } 步
ui-welcome-anytime = 这些以后都可以在设置里更改。
ui-welcome-agents = 接入你的智能体
ui-welcome-agents-text = 智能体需要你回答或授权时，Beckon 会把请求送到你面前。
ui-welcome-phone = 在手机上回答
ui-welcome-phone-text = 你离开时，问题会发到 Telegram。你需要一个自己的机器人，一分钟就能建好。
ui-welcome-try = 试一试
ui-welcome-try-text = 让 Beckon 问你一个问题。
ui-welcome-picture = 通知大致是这样，外观由桌面决定。
ui-welcome-works = 一切就绪
ui-welcome-works-text = 以后智能体会用同样的方式问你。
ui-welcome-tray = Beckon 在托盘里
ui-welcome-tray-text = 铃铛上的数字是待处理的请求数，点击即可回答。
ui-welcome-next = 下一步
ui-welcome-later = 以后再说
ui-welcome-done = 完成

# 共享请求的电脑。
ui-tab-machines = 电脑
ui-machines-lead = 在哪台电脑前，就在哪台回答：一台上的请求，每台都能看到。
ui-machines-unseen = 无法显示电脑列表
ui-machine-this = 这台电脑
ui-machine-there = 已连接
ui-machine-away = 连不上
ui-machine-seated = 你在这里
ui-machine-unknown = 状态未知
ui-machine-waiting = { $count ->
    [0] 没有请求等待
   *[other] { $count } 个等待中
}
ui-machine-nobody = 没有其他电脑
ui-machine-nobody-text = 连接一台，就能在那里回答。
ui-hub = 中枢
ui-hub-connecting = 正在连接…
ui-hub-connected = 已连接
ui-hub-down = 未连接：{ $detail }
ui-hub-down-still = 这台电脑照常工作。你替其他电脑作的回答，会在中枢恢复后送出。
ui-hub-unknown = 中枢不接受这台设备：它尚未加入，或已被移除
ui-hub-unknown-still = 这台电脑照常工作。用 beckon hub invite 生成代码，再在这里运行 beckon hub join。
ui-hub-forbidden = 中枢不允许 Beckon 所需的操作：{ $detail }
ui-hub-forbidden-still = 这台电脑照常工作。请检查服务器上这台设备的权限。
ui-hub-rules = 未使用：其中的流 { $detail } 与 Beckon 的规则不同
ui-hub-rules-still = 这台电脑照常工作。请删除那个流，或换一台服务器，Beckon 会自行建立。
ui-hub-steps = 连接你的电脑
ui-hub-step-serve = 启动中枢
ui-hub-step-serve-text = 在一台常开的电脑上运行。它会启动一个只有你的电脑能用的 NATS 服务器。
ui-hub-step-invite = 生成代码
ui-hub-step-invite-text = 在同一台电脑上，为每台要加入的电脑各生成一个。代码只能用一次，10 分钟内有效。
ui-hub-step-join = 用代码加入
ui-hub-step-join-text = 在要加入的电脑上运行，那里需要先安装 Beckon。
ui-hub-code = 代码
ui-hub-devices = 接受这些设备的回答
ui-hub-own = { $name }（本设备）
ui-hub-own-key = 本设备
ui-hub-own-key-text = 它的公钥用于其他电脑的设置。
ui-hub-no-key = 本设备无法签名
ui-hub-no-key-text = 有密钥之前，它的请求和回答不会共享。
ui-hub-device-text = 它的回答会送达这里的智能体。
ui-hub-device-of = { $person } 的设备。它的回答会送达这里的智能体。
ui-hub-no-devices = 没有其他设备
ui-hub-no-devices-text = 在别处作的回答不会送达这里的智能体。
ui-hub-refused = 已拒收
ui-hub-refused-forged = 未知设备的 { $count } 个回答
ui-hub-refused-forged-text = 没有送达。如果是你的设备，请添加它的公钥。
ui-hub-refused-strange = 未知设备的 { $count } 条记录
ui-hub-refused-strange-text = 不会显示。如果是你的设备，请添加它的公钥。
ui-hub-refused-other-content = 针对其他内容的 { $count } 个回答
ui-hub-refused-other-content-text = 请求在看到之后变了，仍在等待。
ui-hub-refused-unfit = { $count } 个不合要求的回答
ui-hub-refused-unfit-text = 请求仍在等待。
ui-hub-refused-unreadable = { $count } 条无法读取的记录
ui-hub-refused-unreadable-text = 另一台电脑可能运行着不同版本的 Beckon，请更新。
