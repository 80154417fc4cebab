; Chooses the page pictures for the scale of this screen: NSIS supports only one size and would stretch it.

!macro ChoosePictures un
Function ${un}choosePictures
  ; LOGPIXELSX: 96 at 100 %.
  System::Call 'user32::GetDC(p 0) p .r0'
  System::Call 'gdi32::GetDeviceCaps(p r0, i 88) i .r1'
  System::Call 'user32::ReleaseDC(p 0, p r0)'
  ${If} $1 <= 96
    Return
  ${EndIf}
  ${If} $1 <= 144
    File "/oname=$PLUGINSDIR\modern-header.bmp" "${PICTURES}\head-150.bmp"
    File "/oname=$PLUGINSDIR\modern-wizard.bmp" "${PICTURES}\side-150.bmp"
  ${Else}
    File "/oname=$PLUGINSDIR\modern-header.bmp" "${PICTURES}\head-200.bmp"
    File "/oname=$PLUGINSDIR\modern-wizard.bmp" "${PICTURES}\side-200.bmp"
  ${EndIf}
  SetBrandingImage /IMGID=1046 /RESIZETOFIT "$PLUGINSDIR\modern-header.bmp"
FunctionEnd
!macroend
