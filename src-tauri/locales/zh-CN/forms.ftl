# 表单（OpenCode 2.x）里没有写明的选项。
forms-yes = 是
forms-no = 否
forms-none = 不回答
forms-opened = 我已打开
