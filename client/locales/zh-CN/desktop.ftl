# 通知。
desktop-title = { $project } · { $text }
desktop-answer = 回答…
desktop-open = 打开…
# 智能体的说明，写在它要做的事上面。
desktop-reason = “{ $text }”
desktop-questions = { $count } 个问题
desktop-choice = { $label }：{ $description }
desktop-no-questions = （没有问题内容）
desktop-once = 允许一次
desktop-reject = 拒绝
desktop-continue = 继续
desktop-cancel = 到此为止
desktop-confirm = 继续吗？
desktop-unknown = Beckon 看不懂这个请求的格式
desktop-look = 查看…
# 通知服务不画按钮的地方。
desktop-elsewhere = 请在托盘里回答，或运行：beckon list
# 通知里直接填写答案的输入框，有的桌面才有。
desktop-reply = 自己写…
desktop-reply-placeholder = 输入你的答案
desktop-reply-send = 发送
# 没能发出时，说明原因，并把写的话交还。
desktop-reply-refused = 你的回复没有发出
desktop-reply-back = { $why }
    你写的是：“{ $text }”
# 一轮结束。
desktop-turn-done = 已完成，用时 { $age }
desktop-turn-failed = 失败，用时 { $age }
desktop-absence = 你离开期间：回答了 { $answered } 条，{ $waiting } 条待处理
desktop-absence-answered = 你离开期间：回答了 { $answered } 条
desktop-absence-waiting = 你离开期间：{ $waiting } 条待处理
# 通知超过几条以后，其余的合成一条，下面列出接下来的几个。
desktop-more = 还有 { $count } 个请求待处理
# 有的通知服务会保留看过的通知，用这句代替已经结束的那条。
desktop-over = 这条已结束
desktop-open-inbox = 打开待处理列表
desktop-open-session = 打开会话
desktop-not-shown = 没能打开会话
