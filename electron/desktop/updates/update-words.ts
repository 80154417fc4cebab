import type { UpdateTroubleCode } from '#contracts/desktop-updates.ts';

/** What the desktop says of updates outside of its pages. */
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
    off: 'Updates are turned off. They are turned on under This computer, Updates.',
    obstacle: 'This copy of Castellan is not updated by itself.',
    updated: (version) => `Castellan was updated to ${version}.`,
    notInstalled: (version) => `Castellan ${version} was not installed.`,
    wentBack: (version) => `Castellan went back to ${version}.`,
    crashed: (version) => `Castellan ${version} has ended unexpectedly each time it was started.`,
    unwell: (version) => `Castellan ${version} does not run properly here.`,
    goingBack: (version, seconds) => `It goes back to ${version} in ${seconds} seconds.`,
    dataStays: 'Your data stays as it is.',
    goBack: (version) => `Go back to ${version}`,
    stay: (version) => `Stay with ${version}`,
    noWayBack: 'The version before was not kept. Its installer brings it back; your data stays as it is.',
    trouble: {
      unreachable: 'The update server cannot be reached.',
      forged: 'What the update server shows is not signed by the makers of Castellan, and was refused.',
      unreadable: 'The newest release needs to be installed by hand.',
      replayed: 'The update server shows an old release, which was refused.',
      expired: 'What the update server shows is out of date. Is the clock of this computer right?',
      'too-far': 'This version is too old to be updated in one step: install the newest by hand.',
      'not-for-this-system': 'The newest version is not made for this system.',
      damaged: 'What was downloaded is not what was signed, and was thrown away.',
      disk: 'The disk would not take it.',
      cancelled: 'It was called off.',
      backup: 'The database could not be backed up, so nothing was installed.',
      'not-elevated': 'Windows did not let it be installed.',
      'still-running': 'A part of Castellan did not end, so nothing was installed.',
      busy: 'Something else is under way that must not be interrupted.',
      unexpected: 'Something went wrong that nobody expected.',
    },
  },
  'pt-BR': {
    newest: (version) => `O Castellan ${version} é a versão mais nova.`,
    found: (version) => `O Castellan ${version} está disponível.`,
    show: 'Mostrar',
    later: 'Depois',
    off: 'As atualizações estão desligadas. Ligue-as em Este computador, Atualizações.',
    obstacle: 'Esta cópia do Castellan não se atualiza sozinha.',
    updated: (version) => `O Castellan foi atualizado para ${version}.`,
    notInstalled: (version) => `O Castellan ${version} não foi instalado.`,
    wentBack: (version) => `O Castellan voltou para a versão ${version}.`,
    crashed: (version) =>
      `O Castellan ${version} terminou de forma inesperada todas as vezes em que foi iniciado.`,
    unwell: (version) => `O Castellan ${version} não funciona direito aqui.`,
    goingBack: (version, seconds) => `Ele volta para ${version} em ${seconds} segundos.`,
    dataStays: 'Seus dados ficam como estão.',
    goBack: (version) => `Voltar para ${version}`,
    stay: (version) => `Ficar com ${version}`,
    noWayBack:
      'A versão anterior não foi guardada. O instalador dela a traz de volta; seus dados ficam como estão.',
    trouble: {
      unreachable: 'Não foi possível acessar o servidor de atualizações.',
      forged: 'O que o servidor mostra não foi assinado pelos criadores do Castellan e foi recusado.',
      unreadable: 'A versão mais nova precisa ser instalada manualmente.',
      replayed: 'O servidor de atualizações mostra uma versão antiga, que foi recusada.',
      expired: 'O que o servidor mostra está vencido. O relógio deste computador está certo?',
      'too-far': 'Esta versão é antiga demais para um só passo: instale a mais nova manualmente.',
      'not-for-this-system': 'A versão mais nova não é feita para este sistema.',
      damaged: 'O que foi baixado não é o que foi assinado e foi descartado.',
      disk: 'O disco não aceitou o arquivo.',
      cancelled: 'Foi cancelado.',
      backup: 'Não foi possível fazer o backup do banco de dados; nada foi instalado.',
      'not-elevated': 'O Windows não permitiu a instalação.',
      'still-running': 'Uma parte do Castellan não terminou; nada foi instalado.',
      busy: 'Há outra operação em andamento que não pode ser interrompida.',
      unexpected: 'Algo inesperado deu errado.',
    },
  },
} as const satisfies Record<string, UpdateWords>;

/** @param locale of the system, such as `pt-BR` */
export const updateWordsFor = (locale: string): UpdateWords =>
  updateWords[locale.startsWith('pt') ? 'pt-BR' : 'en'];
