# 表单（OpenCode 2.x）没有写明的选项，以及整张表单才能看出的问题。
forms-yes = 是
forms-no = 否
forms-none = 不回答
forms-opened = 我已打开
forms-missing = 按其他题的答案，“{ $field }”也需要回答
forms-no-number = “{ $field }”需要一个数字
