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
ui-copied = 已复制
ui-text-more = 显示更多（还有 { $count } 个字符）
ui-and-more = 还有 { $count } 项
ui-lost-title = 连不上 Beckon
ui-lost-text = 窗口没有问题，是后台服务没有运行。用这个命令启动：beckon
ui-lost-again = 重试

# 回答窗口。
ui-answer-title = Beckon
ui-subagent = 子智能体
ui-waits-for = 已等 { $age }
ui-last-words = 智能体刚才说的话
ui-fold = 收起
ui-unfold = 全部显示
ui-answer-stale = 智能体好像已经不等了。如果它还在等，答案照样会送到。
ui-answer-missing = 这一题还没有答案。
ui-no-text = 问题没有文字
ui-no-label =（没有名称）
ui-no-questions = 问题没有文字
ui-only-dismiss = 这个问题无法回答，只能忽略。
ui-own = 自己写答案
ui-own-add = 再补充一条
ui-own-only = 你的答案
ui-find-choice = 查找选项
ui-choices-found = { $count } 个选项
ui-choices-more = 显示更多选项（还有 { $count } 个）
ui-chosen = 已选 { $count } 项
ui-step = 第 { $number } 题，共 { $count } 题
ui-next = 下一题
ui-to-review = 核对
ui-review = 核对
ui-review-title = 将要发送的答案
ui-no-answer-yet = 还没有答案
ui-change = 修改
ui-change-which = 修改第 { $number } 题的答案
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

ui-wants = 允许“{ $name }”？
ui-wants-bash = 允许运行命令？
ui-wants-edit = 允许修改文件？
ui-wants-write = 允许写入文件？
ui-wants-read = 允许读取文件？
ui-wants-webfetch = 允许访问网页？
ui-wants-external_directory = 允许访问项目目录之外？
ui-wants-confirm = 继续吗？
ui-topic-set = { $count ->
    [0] 等你答复
   *[other] { $count } 个问题
}
ui-command = 命令
ui-patterns = 申请的范围
ui-no-details = 智能体没有说明细节。
ui-command-long = 命令没有全部显示。展开看完再决定。
ui-change-of-file = 改动
ui-diff-lines = 增加 { $added } 行，删除 { $removed } 行
ui-lines-more = 显示更多行（还有 { $count } 行）
ui-diff-cut = 改动太大，这里缺 { $count } 个字符。
ui-once = 允许一次
ui-always-more = 始终允许…
ui-reject-more = 拒绝…
ui-reject = 拒绝
ui-yes-always = 确定始终允许
ui-sure-always = 始终允许？
ui-sure-always-means = 在智能体的服务器退出之前，以下全部不再询问：
ui-sure-reject = 拒绝？
ui-sure-reject-means = 智能体会读到你写的理由，也可以不写。
ui-reason = 理由
ui-go-on = 继续
ui-cancel = 取消

ui-queue = 其他在等的
ui-queue-count = 还有 { $count } 个
ui-queue-none = 没有别的智能体在等
ui-empty = 没有智能体在等你
ui-empty-today = 今天回答了 { $count } 个，最长等了 { $age }
ui-empty-today-none = 今天还没有提问
ui-empty-watching = 正在关注 { $count } 个智能体服务器
ui-empty-deaf = 连不上任何智能体服务器：现在有提问也听不到。

# 结果。$act 是 ui-act 里的文字，$by 是 ui-by 里的文字。
ui-act-answer = { $what }
ui-act-once = 允许一次
ui-act-always = 始终允许
ui-act-deny = 已拒绝
ui-act-dismiss = 已忽略
ui-act-go-on = 继续
ui-act-cancel = 已取消
ui-notice-sending = { $place }：{ $act }，正在送达
ui-notice-taken = { $place }：{ $act }，智能体已收到
ui-notice-failed = { $place } 还在等：{ $message }
ui-notice-elsewhere = { $place }：已{ $by }回答
ui-notice-elsewhere-what = { $place }：{ $answer }，已{ $by }回答
ui-notice-dismissed = { $place }：已在别处忽略
ui-notice-expired = { $place }：问题已过期
ui-notice-gone = { $place }：智能体不再等了
ui-lost-typed = 你写的内容没有发出
ui-by-notification = 在桌面通知里
ui-by-tray = 在托盘里
ui-by-window = 在另一个窗口里
ui-by-cli = 在终端里
ui-by-api = 由程序
ui-by-telegram = 在 Telegram 上
ui-by-clock = 因超时
ui-by-elsewhere = 在别处
