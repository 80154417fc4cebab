import type { WindowsCode } from './windows-code.ts';

const installer = 'https://learn.microsoft.com/windows/win32/msi/error-codes';

/** What installers answer: the Windows Installer, the Visual C++ runtime, and our own setup. */
export const installerCodes: readonly WindowsCode[] = [
  {
    code: 1601,
    name: 'ERROR_INSTALL_SERVICE_FAILURE',
    en: 'The Windows Installer is not running. Restart Windows, then try again.',
    pt: 'O Windows Installer não está em execução. Reinicie o Windows e tente de novo.',
    source: installer,
  },
  {
    code: 1602,
    name: 'ERROR_INSTALL_USEREXIT',
    en: 'The installation was cancelled. Start it again.',
    pt: 'A instalação foi cancelada. Inicie-a de novo.',
    source: installer,
  },
  {
    code: 1603,
    name: 'ERROR_INSTALL_FAILURE',
    en: 'The installation failed. Restart Windows, close other installers, then try again as an administrator.',
    pt: 'A instalação falhou. Reinicie o Windows, feche outros instaladores e tente de novo como administrador.',
    source: installer,
  },
  {
    code: 1618,
    name: 'ERROR_INSTALL_ALREADY_RUNNING',
    en: 'Another installation is in progress. Wait until it ends, then try again.',
    pt: 'Outra instalação está em andamento. Espere ela terminar e tente de novo.',
    source: installer,
  },
  {
    code: 1625,
    name: 'ERROR_INSTALL_PACKAGE_REJECTED',
    en: 'A policy of this computer forbids the installation. Ask its administrator.',
    pt: 'Uma política deste computador proíbe a instalação. Fale com o administrador.',
    source: installer,
  },
  {
    code: 1638,
    name: 'ERROR_PRODUCT_VERSION',
    en: 'A newer version is already installed, so nothing needs to be done.',
    pt: 'Já há uma versão mais nova instalada, então nada precisa ser feito.',
    source: `${installer}; dotnet/cli#6265, microsoft/winget-cli#2037`,
  },
  {
    code: 1641,
    name: 'ERROR_SUCCESS_REBOOT_INITIATED',
    en: 'It is installed, and Windows restarts to finish.',
    pt: 'Está instalado, e o Windows reinicia para concluir.',
    source: `${installer}; streamlabs/desktop#6021`,
  },
  {
    code: 3010,
    name: 'ERROR_SUCCESS_REBOOT_REQUIRED',
    en: 'It is installed. Restart Windows to finish.',
    pt: 'Está instalado. Reinicie o Windows para concluir.',
    source: `${installer}; keybase/client#4764`,
  },
  {
    code: 5100,
    name: 'newer version present',
    tool: 'vc_redist',
    en: 'A newer Visual C++ runtime is already installed, so nothing needs to be done.',
    pt: 'Já há um Visual C++ mais novo instalado, então nada precisa ser feito.',
    source: 'openpbs/openpbs#1344, ScoopInstaller/Extras#4487',
  },
  {
    code: 1,
    name: 'cancelled',
    tool: 'setup',
    en: 'The setup was cancelled, and nothing was changed.',
    pt: 'A instalação foi cancelada, e nada mudou.',
    source: 'https://nsis.sourceforge.io/Docs/AppendixD.html',
  },
  {
    code: 2,
    name: 'aborted',
    tool: 'setup',
    en: 'The setup gave up. Start it without /S: it says why.',
    pt: 'A instalação desistiu. Inicie-a sem /S: ela diz o motivo.',
    source: 'https://nsis.sourceforge.io/Docs/AppendixD.html',
  },
];
