# 后台服务替窗口说的话；窗口自己的文字在 ui.ftl 里。
server-test-opencode = OpenCode 有回应。
server-test-opencode-version = OpenCode { $version } 有回应。
server-test-beckon = 回应的是另一个 Beckon。
server-test-beckon-version = 回应的是另一个 Beckon，版本 { $version }。
server-test-langgraph = LangGraph 服务器有回应。
server-test-langgraph-version = LangGraph { $version } 有回应。
server-test-interrupts = 能收到事件，也接受回答。
server-test-interrupts-half = 能收到事件。另一个地址接不接受回答，要到第一次回答时才知道。
server-test-unauthorized = 有回应，但密码缺失或有误。
server-test-unauthorized-token = 有回应，但令牌缺失或有误。
server-test-failed = 没有回应：{ $detail }
server-test-no-opencode = 那里有回应，但不是 OpenCode。
server-test-no-interrupts = 那里有回应，但不发送事件。
server-test-no-langgraph = 那里有回应，但不是 LangGraph 服务器。
server-test-is-opencode = 那里是 OpenCode。请改选这个种类。
server-test-is-interrupts = 那里发送事件，像是支持中断的服务。请改选这个种类。
server-test-is-langgraph = 那里是 LangGraph 服务器。请改选这个种类。

# 自检。$reason 来自系统。
selftest-title = 自检
selftest-question = 一切正常吗？
selftest-choice = 正常
selftest-reason = 原因：{ $reason }
selftest-paused = 响铃已暂停
selftest-not-shown = 卡片没有出现
selftest-not-withdrawn = 卡片没有撤下
selftest-loop-ok = 问题已进来。
selftest-loop-bad = 问题在 Beckon 内部丢失。
selftest-desktop-ok = 通知出现过，也撤下了。
selftest-desktop-bad = 没有通知。
selftest-answer-ok = 答案已送回，并得到确认。
selftest-answer-bad = 答案没有得到确认。
selftest-store-ok = 已写入数据库。
selftest-store-bad = 没有写入数据库。
selftest-telegram-ok = 测试消息正在发往 Telegram。
selftest-telegram-bad = Telegram 不可用。
selftest-telegram-off = Telegram 尚未设置。
selftest-telegram-nobody = 机器人正常，但还没有配对。

test-question = 你看得到这个问题吗？
test-question-title = 测试
test-question-yes = 看得到
test-question-no = 看不到
