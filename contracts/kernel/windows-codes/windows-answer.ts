import * as z from 'zod';
import type { Language } from '../language.ts';
import { processCodes } from './process-codes.ts';
import { serviceCodes } from './service-codes.ts';
import { systemCodes } from './system-codes.ts';
import type { WindowsCode } from './windows-code.ts';

const installer = 'https://learn.microsoft.com/windows/win32/msi/error-codes';

/** What installers answer: the Windows Installer, the Visual C++ runtime, and our own setup. */
const installerCodes: readonly WindowsCode[] = [
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

/** A number that Windows has answered with, and to what. */
export const windowsAnswer = z.object({
  /** As a person would type it, such as `sc start Castellan-API`; its first word is the program. */
  asked: z.string().max(300),
  code: z.int(),
});
export type WindowsAnswer = z.infer<typeof windowsAnswer>;

/** All numbers with a sentence; what only one program means by a number first. */
export const windowsCodes: readonly WindowsCode[] = [
  ...serviceCodes,
  ...systemCodes,
  ...installerCodes,
  ...processCodes,
].toSorted((one, other) => Number(one.tool === undefined) - Number(other.tool === undefined));

/** HRESULT_FROM_WIN32: a number of winerror.h in its last 16 bits. */
const fromWin32 = 0x8007_0000;
const last16Bits = 0xffff;

/** So that an exit code says that it is Windows's number, and not one of the program. */
export const asExitCode = (windowsError: number): number => fromWin32 + (windowsError & last16Bits);

/** The number of winerror.h or ntstatus.h; some report it as a negative one, or in the form of `asExitCode`. */
export const plainCode = (code: number): number => {
  const unsigned = code >>> 0;
  return unsigned - (unsigned & last16Bits) === fromWin32 ? unsigned & last16Bits : unsigned;
};

/** @param tool the program that answered, such as `sc` */
const windowsCodeOf = (code: number, tool?: string): WindowsCode | null => {
  const plain = plainCode(code);
  return windowsCodes.find((row) => row.code === plain && (row.tool ?? tool) === tool) ?? null;
};

/** Windows's own codes are known by their hexadecimal form. */
export const shownCode = (code: number): string => {
  const plain = plainCode(code);
  return plain < firstOfWindows ? String(plain) : `0x${plain.toString(16).toUpperCase()}`;
};

/** What happened and what to do; null for a number without a sentence. */
export const windowsCodeText = (code: number, language: Language, tool?: string): string | null => {
  const row = windowsCodeOf(code, tool);
  return row && (language === 'pt-BR' ? row.pt : row.en);
};

const asks = (asked: string, code: number, language: Language): string =>
  language === 'pt-BR'
    ? `O Windows respondeu ${shownCode(code)} a: ${asked}`
    : `Windows answered ${shownCode(code)} to: ${asked}`;

/** The severities of NTSTATUS begin there: DBG_TERMINATE_PROCESS is the first that ends a process. */
const firstOfWindows = 0x4000_0000;

/** Whether an exit code is Windows's; a program's own mean something else in each. */
export const isWindowsEnd = (exitCode: number): boolean => exitCode >>> 0 >= firstOfWindows;

/** Why Windows ended a program; null for the program's own exit codes. */
export const processEndText = (exitCode: number, language: Language): string | null =>
  isWindowsEnd(exitCode) ? windowsCodeText(exitCode, language) : null;

/** The sentence where there is one; always the number, and what was asked. */
export const windowsAnswerText = ({ asked, code }: WindowsAnswer, language: Language): string => {
  const text = windowsCodeText(code, language, asked.split(' ', 1)[0]);
  return text === null ? asks(asked, code, language) : `${text} (${asks(asked, code, language)})`;
};
