"""What can be pending, one file per kind of question; the Court actions are in rules.zhanguo.court."""
