; The uninstaller; Settings -> Apps starts it, or `uninstall.exe` in the folder.

Section "un.Castellan" section_programs
  SectionIn RO
  Call un.endDesktop
  Call un.lookAtServices
  Call un.stopServices
  Call un.removeServices
  Call un.removeAutostart
  ; The rules of electron/first-start/firewall.ts and those that Windows creates itself apply to this program only.
  nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name=all program="$INSTDIR\resources\programs\node.exe"'
  Pop $0
  Delete "$SMPROGRAMS\Castellan.lnk"
  !insertmacro RemoveFolder "$INSTDIR.new"
  !insertmacro RemoveFolder "$INSTDIR.old"
  ; electron/updates/windows-installer.ts copies installers here before it runs them.
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
  ; Removes only our folders; an interrupted uninstallation can run again.
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

; Runs before the programs are deleted: `services uninstall` needs them.
Function un.removeServices
  ${If} $HasServices != 1
    Return
  ${EndIf}
  ${If} $HomeArguments != ""
    nsExec::Exec '"$INSTDIR\${PROGRAMS}\node.exe" "$INSTDIR\${PROGRAMS}\castellan.mjs" $HomeArguments services uninstall'
    Pop $0
  ${EndIf}
  ; For a service that no longer exists, Windows returns 1060, which is fine.
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

; Removes the entries of all users whose registry hives are loaded. Windows ignores the remaining entries, whose program is gone.
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

; Deletes the data folder in its default place, and what the desktop stores for this user. A data folder elsewhere stays.
Function un.deleteData
  ; For all users: %ProgramData%, as Windows itself knows it, regardless of environment variables.
  !insertmacro RemoveFolder "$APPDATA\Castellan"
  SetShellVarContext current
  !insertmacro RemoveFolder "$APPDATA\Castellan"
  SetShellVarContext all
FunctionEnd
