; The installer of Castellan for Windows: per machine, in Program Files, with no plug-in but those that come with NSIS.
;
; Switches: /S silent; /D=<folder> where to (last, unquoted); /ALLOW-DOWNGRADE an older version over a newer one;
;   --updated said by the updater: an existing installation is renewed where it is; --force-run starts the desktop at the end.
; The uninstaller: /S; /DELETE-DATA the data too, which stays otherwise.
; Exit codes, beside NSIS's own 0 (done), 1 (cancelled) and 2 (failed while copying; nothing is changed then):
;   3 not this Windows, or no administrator   4 a newer version is installed   5 another setup runs
;   6 the folder cannot be used               7 Castellan still runs, or something holds its files; nothing is changed
;   8 its services could not be stopped; nothing is changed   9 installed, but its services did not start again
; In silence the reason stands in the registry, too: HKLM\Software\Castellan\Setup, LastFailure.
;
; Defined by build/package/installer.ts: VERSION, VERSION_QUAD (four numbers), APP_ID, APP_DIR (the unpacked desktop),
; OUT_FILE, ICON, STORED (set: without compression, for tests).

Unicode true
!ifdef STORED
  SetCompress off
!else
  SetCompressor lzma
!endif
ManifestDPIAware true
ManifestSupportedOS all
RequestExecutionLevel admin
CRCCheck force
AllowSkipFiles off
BrandingText " "
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
!define /math SECURITY_ATTRIBUTES_SIZE ${NSIS_PTR_SIZE} * 3

Var IsUpgrade
; What was asked on the command line to start afterwards.
Var IsForcedToRun

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
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

!include /CHARSET=UTF8 "${__FILEDIR__}\words.nsh"
!include "${__FILEDIR__}\steps.nsh"
!insertmacro Steps ""
!insertmacro Steps "un."

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

; An installation is renewed where it is, also the rest of one; its services and shortcuts lead there.
Function chooseFolder
  ReadRegStr $0 HKLM "${UNINSTALL_KEY}" "InstallLocation"
  ; On a drive that is gone there is nothing to be renewed.
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
  Call isFolderUsable
  Pop $0
  ${If} $0 != 1
    ; Whoever chose a folder with something else in it wants a folder of ours in there.
    StrCpy $INSTDIR "$INSTDIR\Castellan"
    Call isFolderUsable
    Pop $0
  ${EndIf}
  ${If} $0 != 1
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(words_folder) $INSTDIR"
    Abort
  ${EndIf}
FunctionEnd

; Ours, new or empty: all of it is replaced by an upgrade and removed by an uninstallation.
Function isFolderUsable
  StrCpy $0 $INSTDIR 2 -2
  ${If} $0 == ":\"
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
  Call repairHalfDone
  Call unpackBeside
  Call endDesktop
  Call lookAtServices
  Call stopServices
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

; While the old version still runs. What fails here has changed nothing.
Function unpackBeside
  Call makeClosedFolder
  SetOutPath "$INSTDIR.new"
  File /r "${APP_DIR}\*"
  ; `File` ends the setup by itself when the disk is full; this one only notes it.
  ClearErrors
  WriteUninstaller "$INSTDIR.new\uninstall.exe"
  ${If} ${Errors}
    Abort
  ${EndIf}
  ; The folder of the moment cannot be renamed; and a library in one that is open to others might be loaded.
  SetOutPath "$SYSDIR"
FunctionEnd

Function .onInstFailed
  ; It stands in there, and would keep the folder.
  SetOutPath "$SYSDIR"
  !insertmacro RemoveFolder "$INSTDIR.new"
  Call startAgain
FunctionEnd

; Outside of Program Files a folder may be open to everybody; what an administrator or Windows starts must not be.
; It is made closed, and by us: whoever made it before us, or got a file in, would keep rights to what is theirs.
Function makeClosedFolder
  StrLen $0 "$PROGRAMFILES64\"
  StrCpy $1 "$INSTDIR" $0
  ${If} $1 == "$PROGRAMFILES64\"
    Return
  ${EndIf}
  ${GetParent} "$INSTDIR" $0
  CreateDirectory "$0"
  ; Administrators own it and may everything, so does the system itself; users read and execute.
  StrCpy $0 "O:BAD:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)"
  StrCpy $1 "$INSTDIR.new"
  StrCpy $4 0
  ; SDDL_REVISION_1; SECURITY_ATTRIBUTES, whose three fields all take as much as a pointer.
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
  ; A disk that keeps no rights has let it pass, and refuses this. By number: Windows translates the names of its groups.
  nsExec::Exec '"$SYSDIR\icacls.exe" "$INSTDIR.new" /inheritance:r /grant *S-1-5-32-544:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX'
  Pop $0
  ${If} $0 != 0
    !insertmacro FailCleanly 6 "$(words_folder) $INSTDIR"
  ${EndIf}
FunctionEnd

; Two renames: at no moment is there half a version in its place.
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

; from, to on the stack -> 1 when done; somebody who only looks, as an antivirus does, is waited for
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

; With the name by which Windows shows the desktop's notifications.
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

; An update that failed must not leave anybody without the program that asked for it.
Function startAgain
  ${If} $IsForcedToRun == 1
  ${AndIf} ${FileExists} "$INSTDIR\Castellan.exe"
    Call startDesktop
  ${EndIf}
FunctionEnd

; Through Explorer, so that it runs as whoever sits there and not with an administrator's rights.
Function startDesktop
  Exec '"$WINDIR\explorer.exe" "$INSTDIR\Castellan.exe"'
FunctionEnd

!include "${__FILEDIR__}\uninstaller.nsh"
