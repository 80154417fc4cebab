import type { UpdateTroubleCode } from '#contracts/desktop/desktop-updates.ts';

/** The desktop's texts about updates outside its pages. */
export interface UpdateWords {
  readonly newest: (version: string) => string;
  readonly found: (version: string) => string;
  readonly show: string;
  readonly later: string;
  readonly off: string;
  readonly obstacle: string;
  readonly updated: (version: string) => string;
  readonly notInstalled: (version: string) => string;
  readonly wentBack: (version: string) => string;
  readonly crashed: (version: string) => string;
  readonly unwell: (version: string) => string;
  readonly goingBack: (version: string, seconds: number) => string;
  readonly dataStays: string;
  readonly goBack: (version: string) => string;
  readonly stay: (version: string) => string;
  readonly noWayBack: string;
  readonly trouble: Readonly<Record<UpdateTroubleCode, string>>;
}

const updateWords = {
  en: {
    newest: (version) => `Castellan ${version} is the newest version.`,
    found: (version) => `Castellan ${version} is available.`,
    show: 'Show it',
    later: 'Later',
    off: 'Updates are turned off. Turn them on under “This computer”, “Updates”.',
    obstacle: 'This copy of Castellan does not update itself.',
    updated: (version) => `Castellan was updated to ${version}.`,
    notInstalled: (version) => `Castellan ${version} was not installed.`,
    wentBack: (version) => `Castellan went back to ${version}.`,
    crashed: (version) => `Castellan ${version} ended unexpectedly each time it started.`,
    unwell: (version) => `Castellan ${version} does not run properly here.`,
    goingBack: (version, seconds) => `Castellan goes back to ${version} in ${seconds} seconds.`,
    dataStays: 'Your data is not changed.',
    goBack: (version) => `Go back to ${version}`,
    stay: (version) => `Stay with ${version}`,
    noWayBack: 'The previous version was not kept. Run its installer to go back. Your data is not changed.',
    trouble: {
      unreachable: 'The update server cannot be reached.',
      forged: 'The update is not signed by the makers of Castellan, so it was refused.',
      unreadable: 'Install the newest version by hand.',
      replayed: 'The update server offered an old version, which was refused.',
      expired: 'The information on the update server is out of date. Check the clock of this computer.',
      'too-far': 'This version is too old to update in one step. Install the newest version by hand.',
      'not-for-this-system': 'The newest version is not available for this system.',
      damaged: 'The downloaded file is not the one that was signed, so it was deleted. Download it again.',
      disk: 'The file could not be written to the disk. Make room, then try again.',
      cancelled: 'The update was cancelled.',
      backup: 'The database could not be backed up, so nothing was installed.',
      'not-elevated': 'Windows did not allow the installation.',
      'still-running': 'A part of Castellan did not stop, so nothing was installed.',
      busy: 'Something else is in progress and must not be interrupted. Try again when it is done.',
      letters:
        'The previous version cannot open the data folder, because of letters in its path. To go back, first move it to a folder with the letters a–z.',
      unexpected: 'Something unexpected went wrong. Try again.',
    },
  },
  'pt-BR': {
    newest: (version) => `O Castellan ${version} é a versão mais nova.`,
    found: (version) => `O Castellan ${version} está disponível.`,
    show: 'Mostrar',
    later: 'Depois',
    off: 'As atualizações estão desativadas. Ative-as em “Este computador”, “Atualizações”.',
    obstacle: 'Esta cópia do Castellan não se atualiza sozinha.',
    updated: (version) => `O Castellan foi atualizado para ${version}.`,
    notInstalled: (version) => `O Castellan ${version} não foi instalado.`,
    wentBack: (version) => `O Castellan voltou para a versão ${version}.`,
    crashed: (version) =>
      `O Castellan ${version} fechou de forma inesperada todas as vezes em que foi iniciado.`,
    unwell: (version) => `O Castellan ${version} não funciona direito aqui.`,
    goingBack: (version, seconds) => `O Castellan volta para ${version} em ${seconds} segundos.`,
    dataStays: 'Seus dados não são alterados.',
    goBack: (version) => `Voltar para ${version}`,
    stay: (version) => `Ficar com ${version}`,
    noWayBack:
      'A versão anterior não foi guardada. Execute o instalador dela para voltar. Seus dados não são alterados.',
    trouble: {
      unreachable: 'Não foi possível acessar o servidor de atualizações.',
      forged: 'A atualização não foi assinada pelos criadores do Castellan e foi recusada.',
      unreadable: 'Instale a versão mais nova manualmente.',
      replayed: 'O servidor de atualizações ofereceu uma versão antiga, que foi recusada.',
      expired:
        'As informações do servidor de atualizações estão desatualizadas. Confira o relógio deste computador.',
      'too-far':
        'Esta versão é antiga demais para ser atualizada em um só passo. Instale a mais nova manualmente.',
      'not-for-this-system': 'A versão mais nova não está disponível para este sistema.',
      damaged: 'O arquivo baixado não é o que foi assinado e foi excluído. Baixe-o de novo.',
      disk: 'Não foi possível gravar o arquivo no disco. Libere espaço e tente de novo.',
      cancelled: 'A atualização foi cancelada.',
      backup: 'Não foi possível fazer o backup do banco de dados, por isso nada foi instalado.',
      'not-elevated': 'O Windows não permitiu a instalação.',
      'still-running': 'Uma parte do Castellan não parou, por isso nada foi instalado.',
      busy: 'Há outra operação em andamento que não pode ser interrompida. Tente de novo quando ela terminar.',
      letters:
        'A versão anterior não consegue abrir a pasta de dados por causa de letras do caminho. Para voltar, mova-a antes para uma pasta com as letras de a a z.',
      unexpected: 'Algo inesperado deu errado. Tente de novo.',
    },
  },
} as const satisfies Record<string, UpdateWords>;

/** @param locale of the system, such as `pt-BR` */
export const updateWordsFor = (locale: string): UpdateWords =>
  updateWords[locale.startsWith('pt') ? 'pt-BR' : 'en'];
