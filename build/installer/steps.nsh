; Steps shared by the installer and the uninstaller. NSIS needs each function twice; the uninstaller's has the prefix `un.`.

Var HasServices
; As in the command lines of the services: `--home …`, quoted.
Var HomeArguments
; 1 for each service that was running before.
Var RanPostgres
Var RanApi
Var RanBot
Var Ignored

; A silent run shows no message box: it writes the reason to the registry, where only administrators can write, and returns
; the code to its caller.
!macro Fail code text
  Push "${text}"
  Push ${code}
  !ifdef __UNINSTALL__
    Call un.fail
  !else
    Call fail
  !endif
!macroend

; `rd` does not follow a link to another folder, as RMDir would: outside Program Files, any user could place one next to ours.
!macro RemoveFolder path
  nsExec::Exec '"$SYSDIR\cmd.exe" /d /c rd /s /q "${path}"'
  Pop $Ignored
!macroend

; Also removes what is already unpacked.
!macro FailCleanly code text
  !insertmacro RemoveFolder "$INSTDIR.new"
  !insertmacro Fail ${code} "${text}"
!macroend

; Calls a function for each service, with its name on the stack; the names come from runtime/windows/service-names.ts.
!macro ForServices un function
  Push "Castellan-Bot"
  Call ${un}${function}
  Push "Castellan-API"
  Call ${un}${function}
  Push "Castellan-Postgres"
  Call ${un}${function}
!macroend

!macro Steps un

; code and text on the stack
Function ${un}fail
  Pop $R0
  Pop $R1
  ${If} ${Silent}
    WriteRegStr HKLM "${SETUP_KEY}" "LastFailure" "${VERSION}: $R1"
  ${Else}
    MessageBox MB_OK|MB_ICONSTOP $R1
  ${EndIf}
  !if "${un}" == ""
    Call startAgain
  !endif
  SetErrorLevel $R0
  Quit
FunctionEnd

Function ${un}demandAdministrator
  UserInfo::GetAccountType
  Pop $0
  ${If} $0 != "Admin"
    Push "$(words_administrator)"
    Push 3
    Call ${un}fail
  ${EndIf}
FunctionEnd

; Our Node loads the files that these variables name, and a user can set them without administrator rights.
Function ${un}forgetNodeSettings
  System::Call 'kernel32::SetEnvironmentVariableW(w "NODE_OPTIONS", p 0)'
  System::Call 'kernel32::SetEnvironmentVariableW(w "NODE_PATH", p 0)'
  System::Call 'kernel32::SetEnvironmentVariableW(w "OPENSSL_CONF", p 0)'
FunctionEnd

Function ${un}demandToBeAlone
  ; 183: ERROR_ALREADY_EXISTS. Windows removes the mutex when the process ends.
  System::Call 'kernel32::CreateMutexW(p 0, i 0, w "Global\CastellanSetup") p .r0 ?e'
  Pop $1
  ${If} $1 = 183
    Push "$(words_alone)"
    Push 5
    Call ${un}fail
  ${EndIf}
FunctionEnd

; text, searched on the stack -> the rest of the text from the match on, empty if there is none; ignores case
Function ${un}find
  Exch $R0
  Exch
  Exch $R1
  Push $R2
  Push $R3
  StrLen $R2 $R0
  ${Do}
    StrCpy $R3 $R1 $R2
    ${If} $R3 == $R0
      ${ExitDo}
    ${EndIf}
    ${If} $R1 == ""
      ${ExitDo}
    ${EndIf}
    StrCpy $R1 $R1 "" 1
  ${Loop}
  StrCpy $R0 $R1
  Pop $R3
  Pop $R2
  Pop $R1
  Exch $R0
FunctionEnd

; file on the stack -> 1 when it is not running
Function ${un}isFree
  Exch $R0
  Push $R1
  ${If} ${FileExists} $R0
    ClearErrors
    FileOpen $R1 $R0 a
    ${If} ${Errors}
      StrCpy $R0 0
    ${Else}
      FileClose $R1
      StrCpy $R0 1
    ${EndIf}
  ${Else}
    StrCpy $R0 1
  ${EndIf}
  Pop $R1
  Exch $R0
FunctionEnd

; The desktop shuts its stack down, which takes as long as the database needs; after two minutes, the setup gives up.
Function ${un}endDesktop
  ${Do}
    StrCpy $0 0
    ${Do}
      Push "$INSTDIR\Castellan.exe"
      Call ${un}isFree
      Pop $1
      ${If} $1 == 1
        Return
      ${EndIf}
      ; Repeats the request every 30 s: the desktop does not receive it before its start is complete.
      IntOp $2 $0 % 60
      ; A program that is not registered may not be ours, and would run with our permissions.
      ReadRegStr $3 HKLM "${UNINSTALL_KEY}" "InstallLocation"
      ${If} $2 = 0
      ${AndIf} $3 == $INSTDIR
        Exec '"$INSTDIR\Castellan.exe" --quit'
      ${EndIf}
      IntOp $0 $0 + 1
      ${If} $0 >= 240
        ${ExitDo}
      ${EndIf}
      Sleep 500
    ${Loop}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(words_running)" /SD IDCANCEL IDRETRY end_again
      !insertmacro RemoveFolder "$INSTDIR.new"
      Push "$(words_running)"
      Push 7
      Call ${un}fail
    end_again:
  ${Loop}
FunctionEnd

; service on the stack -> its state as a number (1 stopped, 4 running, 0 not found)
Function ${un}stateOf
  Exch $R0
  Push $R1
  Push $R2
  Push $R3
  StrCpy $R3 0
  ; SC_MANAGER_CONNECT, SERVICE_QUERY_STATUS
  System::Call 'advapi32::OpenSCManagerW(p 0, p 0, i 1) p .R1'
  System::Call 'advapi32::OpenServiceW(p R1, w R0, i 4) p .R2'
  ${If} $R2 P<> 0
    System::Call '*(i,i,i,i,i,i,i) p .R0'
    System::Call 'advapi32::QueryServiceStatus(p R2, p R0)'
    System::Call '*$R0(i,i .R3)'
    System::Free $R0
    System::Call 'advapi32::CloseServiceHandle(p R2)'
  ${EndIf}
  System::Call 'advapi32::CloseServiceHandle(p R1)'
  StrCpy $R0 $R3
  Pop $R3
  Pop $R2
  Pop $R1
  Exch $R0
FunctionEnd

; service on the stack -> its command line if it runs our programs, else empty
Function ${un}ourCommandOf
  Exch $R0
  Push $R1
  Push $R2
  ReadRegStr $R0 HKLM "SYSTEM\CurrentControlSet\Services\$R0" "ImagePath"
  StrCpy $R1 '"$INSTDIR\${PROGRAMS}\service-host.exe"'
  StrLen $R2 $R1
  StrCpy $R2 $R0 $R2
  ${If} $R2 != $R1
    StrCpy $R0 ""
  ${EndIf}
  Pop $R2
  Pop $R1
  Exch $R0
FunctionEnd

Function ${un}lookAtServices
  !insertmacro LookAtService "${un}" "Castellan-Postgres" $RanPostgres
  !insertmacro LookAtService "${un}" "Castellan-API" $RanApi
  !insertmacro LookAtService "${un}" "Castellan-Bot" $RanBot
FunctionEnd

; The bot uses the API, and the API uses the database: they stop in this order.
Function ${un}stopServices
  ${If} $HasServices != 1
    Return
  ${EndIf}
  ${If} $HomeArguments != ""
    nsExec::Exec '"$INSTDIR\${PROGRAMS}\node.exe" "$INSTDIR\${PROGRAMS}\castellan.mjs" $HomeArguments services stop'
    Pop $0
  ${EndIf}
  ; Also stops services that the command above could not, as in an incomplete installation.
  !insertmacro ForServices "${un}" stopOne
  StrCpy $0 0
  ${Do}
    StrCpy $1 1
    !insertmacro ForServices "${un}" noteWhetherStopped
    ${If} $1 == 1
      Return
    ${EndIf}
    IntOp $0 $0 + 1
    ${If} $0 >= 120
      Call ${un}startServices
      !insertmacro RemoveFolder "$INSTDIR.new"
      Push "$(words_services_stop)"
      Push 8
      Call ${un}fail
    ${EndIf}
    Sleep 500
  ${Loop}
FunctionEnd

Function ${un}stopOne
  Exch $R0
  Push $R1
  Push $R0
  Call ${un}ourCommandOf
  Pop $R1
  ${If} $R1 != ""
    nsExec::Exec '"$SYSDIR\sc.exe" stop $R0'
    Pop $R1
  ${EndIf}
  Pop $R1
  Pop $R0
FunctionEnd

; sets $1 to 0 if the service exists and is not stopped
Function ${un}noteWhetherStopped
  Exch $R0
  Push $R1
  Push $R0
  Call ${un}ourCommandOf
  Pop $R1
  ${If} $R1 != ""
    Push $R0
    Call ${un}stateOf
    Pop $R1
    ${If} $R1 > 1
      StrCpy $1 0
    ${EndIf}
  ${EndIf}
  Pop $R1
  Pop $R0
FunctionEnd

; Starts only the services that were running before. `castellan services start` also updates the settings of all three.
Function ${un}startServices
  StrCpy $0 "$RanPostgres$RanApi$RanBot"
  ${If} $0 == ""
    Return
  ${EndIf}
  StrCpy $1 ""
  ${If} $0 == "111"
  ${AndIf} $HomeArguments != ""
    nsExec::Exec '"$INSTDIR\${PROGRAMS}\node.exe" "$INSTDIR\${PROGRAMS}\castellan.mjs" $HomeArguments services start'
    Pop $1
  ${EndIf}
  ${If} $1 != 0
    StrCpy $1 0
    !insertmacro StartService $RanPostgres "Castellan-Postgres"
    !insertmacro StartService $RanApi "Castellan-API"
    !insertmacro StartService $RanBot "Castellan-Bot"
    !insertmacro AwaitService "${un}" $RanPostgres "Castellan-Postgres"
    !insertmacro AwaitService "${un}" $RanApi "Castellan-API"
    !insertmacro AwaitService "${un}" $RanBot "Castellan-Bot"
    ${If} $1 != 0
      ${IfNot} ${Silent}
        MessageBox MB_OK|MB_ICONEXCLAMATION "$(words_services_start)"
      ${EndIf}
      SetErrorLevel 9
    ${EndIf}
  ${EndIf}
FunctionEnd

!macroend

!macro LookAtService un service ran
  StrCpy ${ran} ""
  Push "${service}"
  Call ${un}ourCommandOf
  Pop $0
  ${If} $0 != ""
    StrCpy $HasServices 1
    Push $0
    Push " --home "
    Call ${un}find
    Pop $1
    Push $1
    Push " services run "
    Call ${un}find
    Pop $2
    ${If} $2 != ""
      StrLen $3 $1
      StrLen $4 $2
      IntOp $3 $3 - $4
      StrCpy $HomeArguments $1 $3
    ${EndIf}
    Push "${service}"
    Call ${un}stateOf
    Pop $1
    ; Running or starting; a paused or stopping service does not count.
    ${If} $1 == 4
    ${OrIf} $1 == 2
      StrCpy ${ran} 1
    ${EndIf}
  ${EndIf}
!macroend

; 1056: it is already running. On failure, sets $1 to the error code.
!macro StartService ran service
  ${If} ${ran} == 1
    nsExec::Exec '"$SYSDIR\sc.exe" start ${service}'
    Pop $2
    ${If} $2 != 0
    ${AndIf} $2 != 1056
      StrCpy $1 $2
    ${EndIf}
  ${EndIf}
!macroend

; `sc start` returns when the service begins to start. Sets $1 if the service is not running within a minute; if $1 is
; already set, does not wait.
!macro AwaitService un ran service
  ${If} ${ran} == 1
  ${AndIf} $1 == 0
    StrCpy $2 0
    ${Do}
      Push "${service}"
      Call ${un}stateOf
      Pop $3
      ${If} $3 == 4
        ${ExitDo}
      ${EndIf}
      IntOp $2 $2 + 1
      ${If} $2 >= 120
        StrCpy $1 1
        ${ExitDo}
      ${EndIf}
      Sleep 500
    ${Loop}
  ${EndIf}
!macroend
