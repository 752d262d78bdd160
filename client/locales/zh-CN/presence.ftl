# 你在哪里，凭什么这样说。$source 是 presence-source 里的文字，$evidence 是 presence-in-use
# 往下的文字。

presence-here = 在场：{ $evidence }
presence-unknown = 无法判断，问题会在所有地方提醒
presence-said-here = 在场（由你设置）
presence-said-here-until = 在场（由你设置，到 { $time } 为止）
presence-said-away = 离开（由你设置）
presence-said-away-until = 离开（由你设置，到 { $time } 为止）

presence-in-use = 正在使用键盘或鼠标，{ $source }
presence-input = { $age }前有键盘或鼠标输入，{ $source }
presence-back = { $age }前返回，{ $source }
presence-idle = 已有 { $age }没有输入，{ $source }
presence-idle-for-a-while = 有一阵没有输入，{ $source }
presence-locked = 屏幕已锁定，{ $source }
presence-asleep = 电脑在睡眠
presence-said-so = 由你设置
presence-said-so-until = 由你设置，到 { $time } 为止

presence-source-none = 无
presence-source-said = 你
presence-source-x11 = X11
presence-source-wayland = Wayland
presence-source-mutter = GNOME
presence-source-logind = logind
presence-source-screen-saver = 屏幕保护
presence-source-system = 系统
presence-source-clock-jump = 时钟

# 通过 hub 得知的：另一台电脑怎么说。$words 是这里或上面的文字。
machine-away = 离开
machine-away-since = 已离开 { $age }
machine-unknown = 无法判断
machine-paused = 已暂停
machine-deaf = 通知不可用
status-machine = { $machine } · { $words }
rings-seated = 你在 { $machines } 前，请求在那里提醒，这里不提醒
rings-gone = 你不在任何一台电脑前，请求发到手机
rings-deaf = 你在 { $machines } 前，但那里的通知不可用：请求会在其他能提醒你的地方提醒

age-seconds = { $count } 秒
age-minutes = { $count } 分钟
age-hours = { $count } 小时
age-days = { $count } 天
time-yesterday = 昨天 { $time }
time-tomorrow = 明天 { $time }
time-date = { $date } { $time }
