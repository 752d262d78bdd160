; Installs Beckon for one user, without an administrator, into %LOCALAPPDATA%\Programs\Beckon, and takes
; exactly that away again. What the user has of Beckon stays: %LOCALAPPDATA%\beckon, %APPDATA%\beckon, and
; passwords in the Credential Manager.
;
; makensis is told VERSION, NUMBERS (the same without what a pre-release has behind it), FILES (the folder of what is installed), ICONS (that of the pictures) and SETUP
; (what to write). Texts are below in English and Chinese; NSIS takes the one of the user's Windows.
;
;   setup.exe /S [/D=C:\a\folder]      installs or updates without a window
;   uninstall.exe /S

SetCompressor /SOLID lzma
!include MUI2.nsh
!include LogicLib.nsh

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Beckon"
!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run"
; With it, Win+R and `start` find the command without a change of PATH, which an installer can spoil.
!define APP_PATH_KEY "Software\Microsoft\Windows\CurrentVersion\App Paths\beckon.exe"
; Written by Beckon, for its notifications (src-tauri/src/channels/desktop/windows_identity.rs).
!define IDENTITY_KEY "Software\Classes\AppUserModelId\dev.beckon.desk"
; The window that hears of it when Beckon is to end (src-tauri/src/platform/signals/windows).
!define END_WINDOW "BeckonEnd"
; Windows ends a session after five seconds; Beckon needs less than one.
!define ENDED_WITHIN_MS 10000
; Where an update lies until it is whole. Nobody else has a folder of that name, and it is removed with all
; that is in it.
!define STAGING "$INSTDIR\.beckon-incoming"

Name "Beckon"
OutFile "${SETUP}"
InstallDir "$LOCALAPPDATA\Programs\Beckon"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
BrandingText "Beckon ${VERSION}"
ShowInstDetails nevershow
ShowUninstDetails nevershow
SetOverwrite on

VIProductVersion "${NUMBERS}.0"
VIAddVersionKey /LANG=0 "ProductName" "Beckon"
VIAddVersionKey /LANG=0 "FileDescription" "Beckon ${VERSION} Setup"
VIAddVersionKey /LANG=0 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "LegalCopyright" "MIT"

!define MUI_ICON "${ICONS}\icon.ico"
!define MUI_UNICON "${ICONS}\icon.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${ICONS}\setup.bmp"
!define MUI_ABORTWARNING
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "$(StartNow)"
!define MUI_FINISHPAGE_RUN_FUNCTION StartBeckon
; The second box of this page is meant for a file to read; ours is off, and says what it does.
!define MUI_FINISHPAGE_SHOWREADME
!define MUI_FINISHPAGE_SHOWREADME_NOTCHECKED
!define MUI_FINISHPAGE_SHOWREADME_TEXT "$(StartAtLogin)"
!define MUI_FINISHPAGE_SHOWREADME_FUNCTION TurnOnStartAtLogin
!insertmacro MUI_PAGE_FINISH
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(WhatStays)"
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString StartNow ${LANG_ENGLISH} "Start Beckon"
LangString StartNow ${LANG_SIMPCHINESE} "启动 Beckon"
LangString StartAtLogin ${LANG_ENGLISH} "Start Beckon when I log in"
LangString StartAtLogin ${LANG_SIMPCHINESE} "登录时启动 Beckon"
LangString WhatStays ${LANG_ENGLISH} "Beckon will be closed and removed from this folder. Your settings, history and passwords stay."
LangString WhatStays ${LANG_SIMPCHINESE} "Beckon 将被关闭，并从这个文件夹移除。设置、历史和密码都会保留。"
LangString CannotWrite ${LANG_ENGLISH} "Beckon can't be written to $INSTDIR. Make room on the disk or choose a folder of your own, and try again."
LangString CannotWrite ${LANG_SIMPCHINESE} "Beckon 无法写入 $INSTDIR。请腾出磁盘空间，或选一个自己的文件夹，再试一次。"
LangString InUse ${LANG_ENGLISH} "$R0 is in use. Close the agents and terminals that use Beckon, and try again."
LangString InUse ${LANG_SIMPCHINESE} "$R0 正在使用。请关闭正在用 Beckon 的智能体和终端，再试一次。"

Var WasRunning

; What is installed, in the order of an update: what people start comes last.
!macro EACH_FILE do
  !insertmacro ${do} "WebView2Loader.dll"
  !insertmacro ${do} "beckon-window.exe"
  !insertmacro ${do} "LICENSE.txt"
  !insertmacro ${do} "licences-of-others.txt"
  !insertmacro ${do} "icons\128x128.png"
  !insertmacro ${do} "icons\icon.ico"
  !insertmacro ${do} "beckon.exe"
!macroend

; The installer and the uninstaller need functions of their own, of the same words.
!macro FUNCTIONS un
; Asks each Beckon that runs from this folder to end, in Windows' own way, and waits for it. Whoever runs
; another Beckon keeps it. $WasRunning: was there one?
Function ${un}CloseBeckon
  StrCpy $WasRunning 0
  StrCpy $R1 0
  ${Do}
    FindWindow $R1 "${END_WINDOW}" "" 0 $R1
    ${If} $R1 == 0
      ${Break}
    ${EndIf}
    System::Call 'user32::GetWindowThreadProcessId(p R1, *i .R2)'
    ; SYNCHRONIZE and PROCESS_QUERY_LIMITED_INFORMATION
    System::Call 'kernel32::OpenProcess(i 0x101000, i 0, i R2) p .R3'
    System::Call 'kernel32::QueryFullProcessImageNameW(p R3, i 0, w .R4, *i ${NSIS_MAX_STRLEN} .R5)'
    ${If} $R4 == "$INSTDIR\beckon.exe"
      StrCpy $WasRunning 1
      System::Call 'user32::PostMessageW(p R1, i ${WM_CLOSE}, p 0, p 0)'
      System::Call 'kernel32::WaitForSingleObject(p R3, i ${ENDED_WITHIN_MS}) i .R5'
      ${If} $R5 == 0
        ; The window is gone with it, so there is nothing to look on from.
        StrCpy $R1 0
      ${EndIf}
    ${EndIf}
    System::Call 'kernel32::CloseHandle(p R3)'
    StrCpy $R4 ""
  ${Loop}
FunctionEnd

; Makes room where $R0 lies. An agent may run `beckon mcp` or wait in `beckon ask`: a program that runs can't
; be deleted, but it can be moved, and goes on. One that is left over there goes with other
; temporary files; where those are on another disk, it stays beside the new one until somebody deletes it.
Function ${un}PutAway
  Delete $R0
  ${If} ${FileExists} $R0
    ; To another disk it would be copied, and stay where it is.
    StrCpy $R2 $TEMP 2
    StrCpy $R3 $INSTDIR 2
    ${If} $R2 == $R3
      GetTempFileName $R1
    ${Else}
      GetTempFileName $R1 "$INSTDIR"
    ${EndIf}
    Delete $R1
    Rename $R0 $R1
  ${EndIf}
  ${If} ${FileExists} $R0
    MessageBox MB_OK|MB_ICONSTOP "$(InUse)" /SD IDOK
    SetErrorLevel 2
    Abort "$(InUse)"
  ${EndIf}
FunctionEnd
!macroend
!insertmacro FUNCTIONS ""
!insertmacro FUNCTIONS "un."

Function GiveUp
  MessageBox MB_OK|MB_ICONSTOP "$(CannotWrite)" /SD IDOK
  SetErrorLevel 2
  Abort "$(CannotWrite)"
FunctionEnd

!macro REPLACE file
  StrCpy $R0 "$INSTDIR\${file}"
  Call PutAway
  ClearErrors
  Rename "${STAGING}\${file}" "$R0"
  ${If} ${Errors}
    Call GiveUp
  ${EndIf}
!macroend

!macro REMOVE file
  StrCpy $R0 "$INSTDIR\${file}"
  Call un.PutAway
!macroend

Section "Beckon" Beckon
  ; All is on the disk before anything that is there is touched.
  SetOutPath "${STAGING}"
  ClearErrors
  File /r "${FILES}\*"
  ${If} ${Errors}
    SetOutPath "$TEMP"
    RMDir /r "${STAGING}"
    Call GiveUp
  ${EndIf}
  ; What is started from here is not to hold the folder.
  SetOutPath "$PROFILE"
  Call CloseBeckon
  CreateDirectory "$INSTDIR\icons"
  !insertmacro EACH_FILE REPLACE
  RMDir /r "${STAGING}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  Call TellWindows
SectionEnd

; The menu, and the list of what is installed.
Function TellWindows
  ; Small: it is a console program, whose console Beckon closes as it starts.
  CreateShortcut "$SMPROGRAMS\Beckon.lnk" "$INSTDIR\beckon.exe" "" "$INSTDIR\icons\icon.ico" 0 SW_SHOWMINIMIZED
  WriteRegStr HKCU "${APP_PATH_KEY}" "" "$INSTDIR\beckon.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Beckon"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\icons\icon.ico"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "The Beckon authors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  SectionGetSize ${Beckon} $R0
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" $R0
FunctionEnd

; Hidden: of a console program only the console would be seen.
Function StartBeckon
  ExecShell "open" "$INSTDIR\beckon.exe" "" SW_HIDE
FunctionEnd

; The same line that the switch in Beckon's settings writes.
Function TurnOnStartAtLogin
  WriteRegStr HKCU "${RUN_KEY}" "Beckon" '"$INSTDIR\beckon.exe"'
FunctionEnd

; With a window its last page asks.
Function .onInstSuccess
  ${If} ${Silent}
  ${AndIf} $WasRunning == 1
    Call StartBeckon
  ${EndIf}
FunctionEnd

; What could not be finished is done again by the next one; until then the Beckon that is there goes on.
Function .onInstFailed
  RMDir /r "${STAGING}"
  ${If} $WasRunning == 1
    Call StartBeckon
  ${EndIf}
FunctionEnd

; NSIS gives it with a backslash at its end here, which would compare to nothing.
Function un.onInit
  GetFullPathName $INSTDIR "$INSTDIR\."
FunctionEnd

Section "Uninstall"
  SetOutPath "$TEMP"
  Call un.CloseBeckon
  !insertmacro EACH_FILE REMOVE
  RMDir "$INSTDIR\icons"
  RMDir /r "${STAGING}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Beckon.lnk"
  ; Somebody else's Beckon keeps its own.
  ReadRegStr $R0 HKCU "${RUN_KEY}" "Beckon"
  ${If} $R0 == '"$INSTDIR\beckon.exe"'
    DeleteRegValue HKCU "${RUN_KEY}" "Beckon"
  ${EndIf}
  ReadRegStr $R0 HKCU "${APP_PATH_KEY}" ""
  ${If} $R0 == "$INSTDIR\beckon.exe"
    DeleteRegKey HKCU "${APP_PATH_KEY}"
    DeleteRegKey HKCU "${IDENTITY_KEY}"
  ${EndIf}
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
SectionEnd
