; What the uninstaller does; begun by Settings -> Apps, or by `uninstall.exe` in the folder.

Section "un.Castellan" section_programs
  SectionIn RO
  Call un.endDesktop
  Call un.lookAtServices
  Call un.stopServices
  Call un.removeServices
  Call un.removeAutostart
  ; Those of electron/first-start/firewall.ts are for this program alone, and so are those that Windows made by itself.
  nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name=all program="$INSTDIR\resources\programs\node.exe"'
  Pop $0
  Delete "$SMPROGRAMS\Castellan.lnk"
  !insertmacro RemoveFolder "$INSTDIR.new"
  !insertmacro RemoveFolder "$INSTDIR.old"
  ; Where electron/updates/run-installer.ts takes what it is about to run.
  RMDir /r "$PROGRAMFILES64\Castellan Updates"
  RMDir /r /REBOOTOK "$INSTDIR"
  DeleteRegKey HKLM "${UNINSTALL_KEY}"
  DeleteRegKey HKLM "${SETUP_KEY}"
  DeleteRegKey /ifempty HKLM "Software\Castellan"
SectionEnd

Section /o "un.$(words_data)" section_data
  Call un.deleteData
SectionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext all
  Call un.demandAdministrator
  Call un.forgetNodeSettings
  Call un.demandToBeAlone
  ; What is not ours is not removed; an uninstallation that was killed is gone through once more.
  ReadRegStr $0 HKLM "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $0 != $INSTDIR
  ${AndIfNot} ${FileExists} "$INSTDIR\${PROGRAMS}\*.*"
    !insertmacro Fail 6 "$(words_folder) $INSTDIR"
  ${EndIf}
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DELETE-DATA" $1
  ${IfNot} ${Errors}
    SectionSetFlags ${section_data} ${SF_SELECTED}
  ${EndIf}
FunctionEnd

!insertmacro MUI_UNFUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${section_programs} "$(words_programs_text)"
  !insertmacro MUI_DESCRIPTION_TEXT ${section_data} "$(words_data_text)"
!insertmacro MUI_UNFUNCTION_DESCRIPTION_END

; The services need the programs to be removed, which are there no more when this runs.
Function un.removeServices
  ${If} $HasServices != 1
    Return
  ${EndIf}
  ${If} $HomeArguments != ""
    nsExec::Exec '"$INSTDIR\${PROGRAMS}\node.exe" "$INSTDIR\${PROGRAMS}\castellan.mjs" $HomeArguments services uninstall'
    Pop $0
  ${EndIf}
  ; Windows says 1060 of those that are gone, which is what is wanted.
  !insertmacro ForServices un. removeOne
FunctionEnd

; service on the stack
Function un.removeOne
  Exch $R0
  Push $R1
  Push $R0
  Call un.ourCommandOf
  Pop $R1
  ${If} $R1 != ""
    nsExec::Exec '"$SYSDIR\sc.exe" delete $R0'
    Pop $R1
  ${EndIf}
  Pop $R1
  Pop $R0
FunctionEnd

; Of everybody whose settings are loaded: the entry of somebody else may lead nowhere, and Windows passes over it.
Function un.removeAutostart
  StrCpy $0 0
  ${Do}
    EnumRegKey $1 HKU "" $0
    ${If} $1 == ""
      ${ExitDo}
    ${EndIf}
    StrCpy $2 "$1\Software\Microsoft\Windows\CurrentVersion\Run"
    StrCpy $3 0
    ${Do}
      ClearErrors
      EnumRegValue $4 HKU $2 $3
      ${If} ${Errors}
        ${ExitDo}
      ${EndIf}
      ReadRegStr $5 HKU $2 $4
      Push $5
      Push "$INSTDIR\Castellan.exe"
      Call un.find
      Pop $6
      ${If} $6 == ""
        IntOp $3 $3 + 1
      ${Else}
        ClearErrors
        DeleteRegValue HKU $2 $4
        ${If} ${Errors}
          IntOp $3 $3 + 1
        ${EndIf}
        DeleteRegValue HKU "$1\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" $4
      ${EndIf}
    ${Loop}
    IntOp $0 $0 + 1
  ${Loop}
FunctionEnd

; The home where it is by itself, and what the desktop keeps for this user. A home that was put elsewhere stays.
Function un.deleteData
  ; Of all users: %ProgramData%, but as Windows knows it, whatever the environment says.
  !insertmacro RemoveFolder "$APPDATA\Castellan"
  SetShellVarContext current
  !insertmacro RemoveFolder "$APPDATA\Castellan"
  SetShellVarContext all
FunctionEnd
