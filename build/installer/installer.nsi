; The Windows installer of Castellan: per machine, in Program Files, using only the plug-ins that come with NSIS.
;
; Switches: /S silent; /D=<folder> target folder (last, unquoted); /ALLOW-DOWNGRADE installs an older version over a newer one;
;   --updated passed by the updater: upgrades an existing installation in place; --force-run starts the desktop at the end.
; Switches of the uninstaller: /S silent; /DELETE-DATA deletes the data too, which it otherwise keeps.
; Exit codes, in addition to NSIS's 0 (done), 1 (cancelled) and 2 (failed while copying; nothing is changed):
;   3 unsupported Windows, or no administrator   4 a newer version is installed   5 another setup is running
;   6 the folder cannot be used               7 Castellan is still running, or its files are in use; nothing is changed
;   8 its services could not be stopped; nothing is changed   9 installed, but its services did not restart
; A silent run also writes the reason to the registry: HKLM\Software\Castellan\Setup, LastFailure. Each run records there
; which version its own replaces: Before-<its version>. An update goes back to that one only (decision 0023).
;
; Defined by build/package/installer.ts: VERSION, VERSION_QUAD (four numbers), APP_ID, APP_DIR (the unpacked desktop),
; APP_KB (its size on disk), LONGEST_PATH (of a file in it, in letters), LICENSE_EN, LICENSE_PT (texts), PICTURES (a folder of bitmaps from draw-pictures.ts),
; OUT_FILE, ICON, STORED (if set: no compression, for tests), SIGN (if set: the command that signs a file).

Unicode true
!ifdef STORED
  SetCompress off
!else
  SetCompressor lzma
!endif
ManifestDPIAware true
ManifestLongPathAware true
ManifestSupportedOS all
RequestExecutionLevel admin
CRCCheck force
AllowSkipFiles off
BrandingText " "
!ifdef SIGN
  !uninstfinalize `${SIGN} "%1"` = 0
!endif
Name "Castellan"
OutFile "${OUT_FILE}"
ShowInstDetails nevershow
ShowUninstDetails nevershow

VIProductVersion "${VERSION_QUAD}"
VIAddVersionKey ProductName "Castellan"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Castellan Setup"
VIAddVersionKey CompanyName "Castellan"
VIAddVersionKey LegalCopyright "Castellan"

!include LogicLib.nsh
!include FileFunc.nsh
!include MUI2.nsh
!include WinVer.nsh
!include WordFunc.nsh
!include x64.nsh
!include Win\COM.nsh
!include Win\Propkey.nsh

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Castellan"
!define SETUP_KEY "Software\Castellan\Setup"
!define PROGRAMS "resources\programs"
; MAX_PATH, less its NUL, a separator and the `.new` that is unpacked into first.
!define /math LONGEST_FOLDER 254 - ${LONGEST_PATH}
!define /math SECURITY_ATTRIBUTES_SIZE ${NSIS_PTR_SIZE} * 3

Var IsUpgrade
; 1 when the command line asks to start the desktop afterwards.
Var IsForcedToRun

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_HEADERIMAGE
!define MUI_HEADERIMAGE_RIGHT
!define MUI_HEADERIMAGE_BITMAP "${PICTURES}\head-100.bmp"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURES}\side-100.bmp"
!define MUI_UNWELCOMEFINISHPAGE_BITMAP "${PICTURES}\side-100.bmp"
!define MUI_CUSTOMFUNCTION_GUIINIT choosePictures
!define MUI_CUSTOMFUNCTION_UNGUIINIT un.choosePictures
!define MUI_WELCOMEPAGE_TITLE "$(words_welcome)"
!define MUI_WELCOMEPAGE_TEXT "$(words_welcome_text)"
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipWhenUpgrading
!insertmacro MUI_PAGE_WELCOME
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipWhenUpgrading
!insertmacro MUI_PAGE_LICENSE "$(license)"
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipWhenUpgrading
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE checkChosenFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_FUNCTION startDesktop
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_UNPAGE_FINISH
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "PortugueseBR"

LicenseLangString license ${LANG_ENGLISH} "${LICENSE_EN}"
LicenseLangString license ${LANG_PORTUGUESEBR} "${LICENSE_PT}"

!include /CHARSET=UTF8 "${__FILEDIR__}\words.nsh"
!include "${__FILEDIR__}\steps.nsh"
!include "${__FILEDIR__}\pictures.nsh"
!insertmacro Steps ""
!insertmacro Steps "un."

!insertmacro ChoosePictures ""
!insertmacro ChoosePictures "un."

Function .onInit
  SetRegView 64
  SetShellVarContext all
  ${If} ${RunningX64}
  ${AndIf} ${AtLeastWin10}
  ${Else}
    !insertmacro Fail 3 "$(words_windows)"
  ${EndIf}
  Call demandAdministrator
  Call forgetNodeSettings
  Call demandToBeAlone
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "--force-run" $1
  ${IfNot} ${Errors}
    StrCpy $IsForcedToRun 1
  ${EndIf}
  Call chooseFolder
  Call demandNoNewer
FunctionEnd

; Upgrades an existing installation in place, even an incomplete one: its services and shortcuts point there.
Function chooseFolder
  ReadRegStr $0 HKLM "${UNINSTALL_KEY}" "InstallLocation"
  ; If its drive is gone, there is nothing to upgrade.
  StrCpy $1 $0 3
  ${If} $0 != ""
  ${AndIf} ${FileExists} "$1*.*"
    ${If} $INSTDIR == ""
    ${OrIf} $INSTDIR == $0
      StrCpy $IsUpgrade 1
      StrCpy $INSTDIR $0
      Return
    ${EndIf}
    ${If} ${FileExists} "$0\uninstall.exe"
    ${OrIf} ${FileExists} "$0.old\uninstall.exe"
      !insertmacro Fail 6 "$(words_elsewhere) $0"
    ${EndIf}
  ${EndIf}
  ${If} $INSTDIR == ""
    StrCpy $INSTDIR "$PROGRAMFILES64\Castellan"
    Return
  ${EndIf}
  Call areLettersFine
  Pop $0
  ${If} $0 != 1
    !insertmacro Fail 6 "$(words_letters) $INSTDIR"
  ${EndIf}
  Call pathFault
  Pop $0
  ${If} $0 != ""
    !insertmacro Fail 6 "$0 $INSTDIR"
  ${EndIf}
  Call isFolderUsable
  Pop $0
  ${If} $0 != 1
    !insertmacro Fail 6 "$(words_folder) $INSTDIR"
  ${EndIf}
FunctionEnd

Function demandNoNewer
  ReadRegStr $0 HKLM "${UNINSTALL_KEY}" "VersionQuad"
  ${GetParameters} $1
  ClearErrors
  ${GetOptions} $1 "/ALLOW-DOWNGRADE" $2
  ${If} $0 != ""
  ${AndIf} ${Errors}
    ${VersionCompare} $0 "${VERSION_QUAD}" $2
    ${If} $2 == 1
      !insertmacro Fail 4 "$(words_newer)"
    ${EndIf}
  ${EndIf}
FunctionEnd

Function skipWhenUpgrading
  ${If} $IsUpgrade == 1
    Abort
  ${EndIf}
FunctionEnd

Function checkChosenFolder
  Call areLettersFine
  Pop $0
  ${If} $0 != 1
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(words_letters) $INSTDIR"
    Abort
  ${EndIf}
  Call isFolderUsable
  Pop $0
  ${If} $0 != 1
    ; The user chose a folder that contains other files: install into a subfolder of it.
    StrCpy $INSTDIR "$INSTDIR\Castellan"
    Call isFolderUsable
    Pop $0
  ${EndIf}
  ${If} $0 != 1
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(words_folder) $INSTDIR"
    Abort
  ${EndIf}
  Call pathFault
  Pop $0
  ${If} $0 != ""
    MessageBox MB_OK|MB_ICONEXCLAMATION "$0 $INSTDIR"
    Abort
  ${EndIf}
FunctionEnd

; The part of decision 0110 that cannot wait for a program of ours. Pushes why the path cannot be used, or nothing.
Function pathFault
  StrLen $0 $INSTDIR
  ${If} $0 > ${LONGEST_FOLDER}
    Push "$(words_long)"
    Return
  ${EndIf}
  StrCpy $0 $INSTDIR 2
  StrCpy $1 $INSTDIR 3
  ; 4: DRIVE_REMOTE. Services and other accounts do not see a connected drive.
  System::Call 'kernel32::GetDriveTypeW(w r1) i .r1'
  ${If} $0 == "\\"
  ${OrIf} $1 = 4
    Push "$(words_network)"
    Return
  ${EndIf}
  Push ""
FunctionEnd

; Windows before 1903 gives the database's programs their path in the machine's code page, and they make no database where that has
; letters beyond ASCII (decision 0113). Pushes 1 or 0.
Function areLettersFine
  System::Call 'kernel32::GetACP() i .r0'
  ${If} ${AtLeastBuild} 18362
  ${OrIf} $0 = 65001
    Push 1
    Return
  ${EndIf}
  ; In UTF-8, only ASCII has as many bytes as letters.
  StrCpy $2 $INSTDIR
  StrLen $1 $2
  System::Call 'kernel32::WideCharToMultiByte(i 65001, i 0, w r2, i r1, p 0, i 0, p 0, p 0) i .r0'
  ${If} $0 = $1
    Push 1
  ${Else}
    Push 0
  ${EndIf}
FunctionEnd

; Usable: our folder, a new one or an empty one, because an upgrade replaces all of it and an uninstallation removes it.
Function isFolderUsable
  StrCpy $0 $INSTDIR 2 -2
  ${If} $0 == ":\"
    Push 0
    Return
  ${EndIf}
  ; Services and `cmd` would read %TEMP% in it as a variable.
  ExpandEnvStrings $0 $INSTDIR
  ${If} $0 != $INSTDIR
    Push 0
    Return
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\uninstall.exe"
  ${AndIf} ${FileExists} "$INSTDIR\${PROGRAMS}\*.*"
    Push 1
    Return
  ${EndIf}
  ${DirState} "$INSTDIR" $0
  ${If} $0 == 1
    Push 0
  ${Else}
    Push 1
  ${EndIf}
FunctionEnd

Section
  ; NSIS does not count the size of `File` in a function; Windows and the folder page show this size.
  AddSize ${APP_KB}
  Call repairHalfDone
  Call unpackBeside
  Call endDesktop
  Call lookAtServices
  Call stopServices
  Call recordReplaced
  Call swapFolders
  Call register
  Call startServices
  !insertmacro RemoveFolder "$INSTDIR.old"
  ${If} $IsForcedToRun == 1
    Call startDesktop
  ${EndIf}
SectionEnd

; An earlier setup may have been killed at any point.
Function repairHalfDone
  !insertmacro RemoveFolder "$INSTDIR.new"
  ${IfNot} ${FileExists} "$INSTDIR.old\*.*"
    Return
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\uninstall.exe"
    !insertmacro RemoveFolder "$INSTDIR.old"
  ${Else}
    RMDir "$INSTDIR"
    Rename "$INSTDIR.old" "$INSTDIR"
  ${EndIf}
FunctionEnd

; Runs while the old version is still running. A failure here changes nothing.
Function unpackBeside
  Call makeClosedFolder
  SetOutPath "$INSTDIR.new"
  File /r "${APP_DIR}\*"
  ; When the disk is full, `File` aborts the setup; WriteUninstaller only sets the error flag.
  ClearErrors
  WriteUninstaller "$INSTDIR.new\uninstall.exe"
  ${If} ${Errors}
    Abort
  ${EndIf}
  ; The current directory cannot be renamed, and if others can write to it, a library in it might be loaded.
  SetOutPath "$SYSDIR"
FunctionEnd

Function .onInstFailed
  ; The current directory is inside the folder and would prevent its removal.
  SetOutPath "$SYSDIR"
  !insertmacro RemoveFolder "$INSTDIR.new"
  Call startAgain
FunctionEnd

; Outside Program Files, all users may be able to write to a folder; programs that an administrator or Windows starts must
; not be in such a folder. The setup creates the folder itself, with restricted permissions: another user who created it
; first, or put a file into it, would keep permissions to these.
Function makeClosedFolder
  StrLen $0 "$PROGRAMFILES64\"
  StrCpy $1 "$INSTDIR" $0
  ${If} $1 == "$PROGRAMFILES64\"
    Return
  ${EndIf}
  ${GetParent} "$INSTDIR" $0
  CreateDirectory "$0"
  ; Administrators own it and have full control, as does the system; users can read and execute.
  StrCpy $0 "O:BAD:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)"
  StrCpy $1 "$INSTDIR.new"
  StrCpy $4 0
  ; SDDL_REVISION_1; SECURITY_ATTRIBUTES, whose three fields each take the size of a pointer.
  System::Call 'advapi32::ConvertStringSecurityDescriptorToSecurityDescriptorW(w r0, i 1, *p .r2, p 0) i .r3'
  ${If} $3 <> 0
    System::Call '*(p ${SECURITY_ATTRIBUTES_SIZE}, p r2, p 0) p .r3'
    System::Call 'kernel32::CreateDirectoryW(w r1, p r3) i .r4'
    System::Free $3
    System::Call 'kernel32::LocalFree(p r2)'
  ${EndIf}
  ${If} $4 = 0
    !insertmacro FailCleanly 6 "$(words_folder) $INSTDIR"
  ${EndIf}
  ; A disk without permissions accepts the call above but rejects this one. SIDs, because Windows translates group names.
  nsExec::Exec '"$SYSDIR\icacls.exe" "$INSTDIR.new" /inheritance:r /grant *S-1-5-32-544:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX'
  Pop $0
  ${If} $0 != 0
    !insertmacro FailCleanly 6 "$(words_folder) $INSTDIR"
  ${EndIf}
FunctionEnd

; Before the folders are swapped: a setup that is killed right after must leave a way back. What a failed one leaves here
; does not count, since its version is not the installed one.
Function recordReplaced
  ReadRegStr $0 HKLM "${UNINSTALL_KEY}" "DisplayVersion"
  ${If} $0 == ""
    DeleteRegValue HKLM "${SETUP_KEY}" "Before-${VERSION}"
  ${ElseIf} $0 != "${VERSION}"
    WriteRegStr HKLM "${SETUP_KEY}" "Before-${VERSION}" "$0"
  ${EndIf}
FunctionEnd

; Two renames: the folder never contains half a version.
Function swapFolders
  ${If} ${FileExists} "$INSTDIR\*.*"
    ${Do}
      Push "$INSTDIR"
      Push "$INSTDIR.old"
      Call renamePatiently
      Pop $0
      ${If} $0 == 1
        ${ExitDo}
      ${EndIf}
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(words_held)" /SD IDCANCEL IDRETRY swap_again
        Call startServices
        !insertmacro FailCleanly 7 "$(words_held)"
      swap_again:
    ${Loop}
  ${EndIf}
  Push "$INSTDIR.new"
  Push "$INSTDIR"
  Call renamePatiently
  Pop $0
  ${If} $0 != 1
    Push "$INSTDIR.old"
    Push "$INSTDIR"
    Call renamePatiently
    Pop $0
    Call startServices
    !insertmacro FailCleanly 7 "$(words_held)"
  ${EndIf}
FunctionEnd

; from, to on the stack -> 1 when done; waits for programs that briefly open a file, such as an antivirus
Function renamePatiently
  Pop $R1
  Pop $R0
  StrCpy $R2 0
  ${Do}
    ClearErrors
    Rename $R0 $R1
    ${IfNot} ${Errors}
      Push 1
      Return
    ${EndIf}
    IntOp $R2 $R2 + 1
    ${If} $R2 >= 60
      Push 0
      Return
    ${EndIf}
    Sleep 500
  ${Loop}
FunctionEnd

Function register
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayName" "Castellan"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "VersionQuad" "${VERSION_QUAD}"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "Publisher" "Castellan"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\Castellan.exe,0"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "EstimatedSize" "$0"
  DeleteRegValue HKLM "${SETUP_KEY}" "LastFailure"
  Call makeShortcut
FunctionEnd

; Sets the ID under which Windows shows the desktop's notifications.
Function makeShortcut
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IShellLink::SetPath} $0 '("$INSTDIR\Castellan.exe").r1'
    ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}",.r1)'
    ${If} $1 P<> 0
      System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p.r2'
      System::Call '*(&w${NSIS_MAX_STRLEN} "${APP_ID}")p.r4'
      !if ${NSIS_PTR_SIZE} > 4
        System::Call '*(&i2 ${VT_LPWSTR},&i6,p r4,p 0)p.r3'
      !else
        System::Call '*(&i2 ${VT_LPWSTR},&i6,p r4,i 0)p.r3'
      !endif
      ${IPropertyStore::SetValue} $1 '($2,$3)'
      ${IPropertyStore::Commit} $1 ""
      System::Free $2
      System::Free $3
      System::Free $4
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}",.r1)'
    ${If} $1 P<> 0
      ${IPersistFile::Save} $1 '("$SMPROGRAMS\Castellan.lnk",1)'
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::Release} $0 ""
  ${EndIf}
FunctionEnd

; After a failed update, the program that started the update must run again.
Function startAgain
  ${If} $IsForcedToRun == 1
  ${AndIf} ${FileExists} "$INSTDIR\Castellan.exe"
    Call startDesktop
  ${EndIf}
FunctionEnd

; Starts it through Explorer, so that it runs as the signed-in user, without administrator rights.
Function startDesktop
  Exec '"$WINDIR\explorer.exe" "$INSTDIR\Castellan.exe"'
FunctionEnd

!include "${__FILEDIR__}\uninstaller.nsh"
