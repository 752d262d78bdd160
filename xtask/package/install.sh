#!/bin/sh
# Installs Beckon for one user, without root, from the folder in which this file lies: into ~/.local, or
# into PREFIX. What it installed it writes down, and takes exactly that away again:
#
#   sh install.sh
#   sh install.sh --uninstall        also as: sh ~/.local/share/beckon/install.sh --uninstall
#
# A running Beckon goes on with the program it was started with. Settings and history are never touched.
set -eu
umask 022

say() { # in English, in Chinese
  case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in
    zh*) printf '%s\n' "$2" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

fail() {
  say "$1" "$2" >&2
  exit 1
}

[ -n "${HOME:-}" ] ||
  fail "HOME isn't set, so there is no place to install to. Set it and try again." \
    "没有设置 HOME，不知道装到哪里。请设置后再试。"
prefix=${PREFIX:-$HOME/.local}
case $prefix in
  /*) ;;
  *) fail "PREFIX has to begin with a slash: $prefix" "PREFIX 要以斜杠开头：$prefix" ;;
esac
own=$prefix/share/beckon
list=$own/installed

writable() { # what stands of it already has to take files
  folder=$1
  while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
  [ -d "$folder" ] && [ -w "$folder" ] ||
    fail "$folder can't be written to. Make it yours (ls -ld $folder shows whose it is), or choose another place: PREFIX=/some/where sh install.sh" \
      "$folder 无法写入。请改成自己可写（用 ls -ld $folder 看它属于谁），或换个位置：PREFIX=/别的/目录 sh install.sh"
}

# Whole or not at all: the new file gets its name in one step, and a program that runs keeps its own.
put() { # file, target, rights
  target=$prefix/$2
  writable "$(dirname "$target")"
  mkdir -p "$(dirname "$target")"
  cp "$1" "$target.new"
  chmod "$3" "$target.new"
  mv -f "$target.new" "$target"
}

# A menu or systemd may not look where this is: there the program is named in full. Blanks, quotes and
# the like would need three kinds of quoting; the search path has to do then.
named_in_full() { # file
  case $prefix in
    *[!A-Za-z0-9/._-]*) cat "$1" ;;
    *) sed -e "s|^Exec=beckon|Exec=$prefix/bin/beckon|" -e "s|^TryExec=beckon|TryExec=$prefix/bin/beckon|" \
      -e "s|%h/.local/bin/beckon|$prefix/bin/beckon|" "$1" ;;
  esac
}

# What lies there and was not put there by this script is somebody else's: it is neither written over now
# nor taken away later.
refuse_others() { # files, those of ours that are there
  printf '%s\n' "$1" | while IFS= read -r file; do
    target=$prefix/$file
    [ -e "$target" ] || [ -L "$target" ] || continue
    printf '%s\n' "$2" | grep -q -x -F -e "$file" ||
      fail "$target is there already, and this script didn't put it there. Move it away, or choose another place: PREFIX=/some/where sh install.sh" \
        "$target 已经存在，而且不是这个脚本放的。请先把它移走，或换个位置：PREFIX=/别的/目录 sh install.sh"
  done
}

install_all() {
  here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
  [ -f "$here/bin/beckon" ] ||
    fail "There is no Beckon beside $0. Unpack the whole archive and try again." \
      "$0 旁边没有 Beckon。请把压缩包完整解开再试。"
  files=$(cd "$here" && find bin share -type f | sort)
  before=$(cat "$list" 2>/dev/null || :)
  refuse_others "$files" "$before"
  writable "$own"
  mkdir -p "$own"
  # Of an install that is cut off, all is known that may be there.
  printf '%s\n%s\n' "$before" "$files" | sort -u | sed '/^$/d' >"$list.new"
  mv -f "$list.new" "$list"
  put "$here/install.sh" share/beckon/install.sh 755
  printf '%s\n' "$files" | while IFS= read -r file; do
    case $file in
      bin/*) put "$here/$file" "$file" 755 ;;
      *.desktop | *.service)
        named_in_full "$here/$file" >"$own/draft"
        put "$own/draft" "$file" 644
        rm -f "$own/draft"
        ;;
      *) put "$here/$file" "$file" 644 ;;
    esac
  done
  printf '%s\n' "$before" | while IFS= read -r file; do
    [ -z "$file" ] || [ -f "$here/$file" ] || rm -f "$prefix/$file"
  done
  printf '%s\n' "$files" >"$list.new"
  mv -f "$list.new" "$list"
  tell_the_desktop
}

told() {
  say "Beckon is installed: $prefix/bin/beckon" "Beckon 已安装：$prefix/bin/beckon"
  case ":${PATH:-}:" in
    *":$prefix/bin:"*) ;;
    *) say "Your shell doesn't look there yet. Add it to PATH: export PATH=\"$prefix/bin:\$PATH\"" \
      "命令行还找不到它，请加进 PATH：export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  if [ -f "$prefix/share/systemd/user/beckon.service" ]; then
    say "To have it run whenever you're logged in: systemctl --user enable --now beckon" \
      "想在登录后一直运行：systemctl --user enable --now beckon"
  fi
  say "Next: beckon doctor" "接下来：beckon doctor"
}

# Menus look by themselves; a cache of icons, where there is one, hides what came after it.
tell_the_desktop() {
  if [ -f "$prefix/share/icons/hicolor/icon-theme.cache" ] &&
    command -v gtk-update-icon-cache >/dev/null 2>&1; then
    gtk-update-icon-cache -q -t -f "$prefix/share/icons/hicolor" 2>/dev/null || :
  fi
}

# A start at login that leads to nothing any more; somebody else's Beckon keeps its own.
stop_starting() {
  entry=${XDG_CONFIG_HOME:-$HOME/.config}/autostart/beckon.desktop
  if [ -f "$entry" ] && grep -q -F "Exec=\"$prefix/bin/beckon\"" "$entry"; then rm -f "$entry"; fi
  [ -f "$prefix/share/systemd/user/beckon.service" ] || return 0
  if command -v systemctl >/dev/null 2>&1; then
    systemctl --user disable --now beckon >/dev/null 2>&1 || :
  fi
  rm -f "${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/default.target.wants/beckon.service"
}

uninstall() {
  [ -f "$list" ] ||
    fail "Nothing to remove: $list isn't there, so Beckon wasn't installed here by this script." \
      "没有可移除的：$list 不存在，Beckon 不是用这个脚本装在这里的。"
  writable "$own"
  stop_starting
  while IFS= read -r file; do
    rm -f "$prefix/$file" "$prefix/$file.new"
    folder=$(dirname "$file")
    # Only what is empty goes, and never the place itself.
    while [ "$folder" != . ] && rmdir "$prefix/$folder" 2>/dev/null; do
      folder=$(dirname "$folder")
    done
  done <"$list"
  rm -f "$own/install.sh" "$own/install.sh.new" "$own/draft" "$list" "$list.new"
  rmdir "$own" "$prefix/share" 2>/dev/null || :
  tell_the_desktop
  say "Beckon was removed. Your settings and history stay: ${XDG_CONFIG_HOME:-$HOME/.config}/beckon, ${XDG_STATE_HOME:-$HOME/.local/state}/beckon" \
    "Beckon 已移除。设置和历史都还在：${XDG_CONFIG_HOME:-$HOME/.config}/beckon、${XDG_STATE_HOME:-$HOME/.local/state}/beckon"
  say "Passwords stay in the keychain. Agents that were connected find no Beckon any more and go on by themselves." \
    "密码留在钥匙串里。接入过的智能体找不到 Beckon，会照常自己运行。"
}

case "${1:-}" in
  '')
    install_all
    told
    ;;
  --uninstall) uninstall ;;
  *)
    say "Usage: sh install.sh [--uninstall]" "用法：sh install.sh [--uninstall]" >&2
    exit 2
    ;;
esac
