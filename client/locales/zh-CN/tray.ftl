# 托盘：提示、菜单和错误。

tray-tooltip-quiet = Beckon：没有智能体在等
tray-tooltip-waiting = { $count ->
    [1] Beckon：1 个在等，已等 { $age }
   *[other] Beckon：{ $count } 个在等，最久 { $age }
}
tray-tooltip-no-source = Beckon：没有接入智能体
tray-tooltip-on-phone = { $count ->
    [0] Beckon：你已离开，没有智能体在等
   *[other] Beckon：你已离开，{ $count } 个在手机上等你
}
tray-tooltip-away = Beckon：你已离开，{ $count } 个在等
tray-tooltip-paused = { $count ->
    [0] Beckon：提醒已暂停，{ $time } 恢复
   *[other] Beckon：提醒已暂停，{ $time } 恢复，{ $count } 个在等
}
tray-tooltip-paused-no-source = Beckon：提醒已暂停，{ $time } 恢复，没有接入智能体

# 一个问题和它下面的各行。$place 是目录名。
tray-ask = { $place }：{ $topic }
# 后面是等了多久；点这一行就打开窗口的，加“…”。
tray-ask-age = { $ask } · { $age }
tray-ask-opens = { $ask }… · { $age }
# 两行看起来一样时：谁在问。
tray-place-of = { $place }（{ $who }）
tray-topic-set = { $count ->
    [0] 等你答复
   *[other] { $count } 个问题
}
tray-topic-confirm = 继续吗？
tray-topic-unknown = Beckon 看不懂这个请求的格式
tray-choice = { $label }：{ $description }
tray-more-choices = 还有 { $count } 个选项
tray-once = 允许一次
tray-reject = 拒绝
tray-continue = 继续
tray-cancel = 到此为止
tray-answer = 在窗口里回答…
tray-open-ask = 打开…
tray-open-session = 打开会话
tray-look = 查看…
tray-more-asks = 还有 { $count } 个…

# 你在哪里。
tray-here = 在场
tray-away = 离开
# $machines 是自己的其他电脑。
tray-at = 你在 { $machines } 前
tray-rings-there = 请求在 { $machines } 上提醒，这里不提醒
tray-rings-deaf = { $machines } 的通知不可用，请求在其他地方提醒
tray-rings-phone = 你不在任何一台电脑前，由手机提醒
tray-presence-unknown = 无法判断你是否在场
tray-presence-auto = 自动
tray-presence-here = 在场
tray-presence-here-until = 在场，到 { $time }
tray-presence-away = 离开
tray-presence-away-until = 离开，到 { $time }
tray-presence-away-hour = 离开 1 小时

tray-pause = 暂停提醒
tray-pause-means = 不弹通知，也不发 Telegram
tray-pause-half-hour = 30 分钟
tray-pause-tomorrow = 到明天
tray-paused = 提醒已暂停，{ $time } 恢复
tray-pause-end = 恢复提醒

tray-source-unreachable = { $source }：连不上
tray-hub-down = 中枢：未连接
tray-source-unauthorized = { $source }：密码或令牌缺失或有误

tray-open = 打开 Beckon
tray-settings = 设置…
tray-quit = 退出 Beckon

# 最近的回答。$place 是目录名，$what 是下面的文字之一或答案本身，$by 是 ui-by 里的文字，例如“在窗口里”。
tray-latest = 最近的回答
tray-latest-line = { $place }：{ $what } · { $by }，{ $time }
tray-latest-nobody = { $place }：{ $what } · { $time }
tray-latest-comma = 、
tray-latest-answers = { $count } 个答案
tray-latest-answered = 已回答
tray-latest-once = 已允许一次
tray-latest-always = 已始终允许
tray-latest-rejected = 已拒绝
tray-latest-continued = 已继续
tray-latest-cancelled = 到此为止
tray-latest-dismissed = 已忽略
tray-latest-expired = 等了 { $age }，已过期

tray-error-bus = 没有会话总线，托盘图标无处显示：{ $reason }
tray-error-host = 这个桌面上没有面板显示托盘图标。有了面板，图标就会出现
tray-error-system = 系统拒绝了托盘图标：{ $reason }
