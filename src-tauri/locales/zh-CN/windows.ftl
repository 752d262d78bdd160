# 常驻程序为窗口说的话；窗口自己的文字在 ui.ftl。
server-test-ok = 有应答。{ $detail }
server-test-unauthorized = 有应答，但密码不对或没有填。
server-test-failed = 没有应答：{ $detail }

# 自检。$reason 来自系统。
selftest-title = 自检
selftest-question = 一切正常吗？
selftest-choice = 正常
selftest-reason = 原因：{ $reason }
selftest-paused = 提醒已暂停
selftest-not-shown = 没有出现通知
selftest-not-withdrawn = 通知没有消失
selftest-loop-ok = 收到了一个提问。
selftest-loop-bad = 提问在 Beckon 内部丢失了。
selftest-desktop-ok = 通知出现过，也已收回。
selftest-desktop-bad = 没有通知。
selftest-answer-ok = 回答已送达并得到确认。
selftest-answer-bad = 回答没有得到确认。
selftest-store-ok = 已记录在案。
selftest-store-bad = 没有记录下来。
selftest-telegram-ok = 一条测试消息正发往 Telegram。
selftest-telegram-bad = Telegram 不可用。
selftest-telegram-off = 尚未设置 Telegram。
selftest-telegram-nobody = 机器人可用，但还没有配对任何人。

test-notification-title = Beckon
test-notification-body = 通知可用。提问时就是这样，答案会显示为按钮。
