import type { LicenseState } from '#contracts/license-state.ts';
import type { ComponentName, StackStatus } from '#contracts/stack.ts';
import { type NoticeWords, noticeWords } from './notice-words.ts';

/** The desktop's own words, outside of its pages, in each language that the panel speaks. */
export interface DesktopWords {
  readonly open: string;
  readonly start: string;
  readonly stop: string;
  readonly restart: string;
  readonly restartOne: (component: ComponentName) => string;
  readonly logs: string;
  readonly checkForUpdates: string;
  readonly autostart: string;
  readonly quit: string;
  /** Where Windows runs the stack, which goes on. */
  readonly quitServices: string;
  readonly stopping: string;
  /** Told once, when closing the window has left everything running. */
  readonly inTray: string;
  readonly failed: string;
  readonly notStarted: string;
  readonly makeBundle: string;
  readonly bundleMade: string;
  /** Said before one is made without a page that would say so. */
  readonly inBundle: string;
  readonly close: string;
  readonly pageCrashed: string;
  readonly recordDamaged: string;
  readonly recordDamagedText: (keptAs: string) => string;
  readonly tryAgain: string;
  readonly cut: string;
  readonly copy: string;
  readonly paste: string;
  readonly selectAll: string;
  readonly state: Readonly<Record<StackStatus['state'], string>>;
  readonly license: Readonly<Partial<Record<LicenseState, string>>>;
  readonly notices: NoticeWords;
}

const names = { postgres: 'Postgres', api: 'API', bot: 'Bot' } as const;

export const desktopWords = {
  en: {
    open: 'Open Castellan',
    start: 'Start everything',
    stop: 'Stop everything',
    restart: 'Restart everything',
    restartOne: (component) => `Restart ${names[component]}`,
    logs: 'Open the logs',
    checkForUpdates: 'Check for updates',
    autostart: 'Start with this computer',
    quit: 'Quit and stop everything',
    quitServices: 'Quit; the services run on',
    stopping: 'Castellan is stopping; the database is closed in order.',
    inTray: 'Castellan keeps running. Its icon is in the tray; quit it there.',
    failed: 'That did not work',
    notStarted: 'Castellan could not be opened',
    makeBundle: 'Make a diagnostics bundle',
    bundleMade: 'The bundle is made',
    inBundle:
      'A bundle is one .zip for whoever helps you. Passwords, keys and tokens are taken out; names of players, people, servers and folders, ids of Discord and IP addresses can be in it. It goes nowhere by itself.',
    close: 'Close',
    recordDamaged: 'The settings of this window were damaged',
    recordDamagedText: (keptAs) =>
      `Castellan found your data folder again and started from there. Check the settings under This computer. The damaged file is kept as ${keptAs}.`,
    pageCrashed: 'The page has crashed several times. Your servers and the stack are not touched by it.',
    tryAgain: 'Try again',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    state: {
      stopped: 'stopped',
      starting: 'starting',
      running: 'running',
      degraded: 'running with trouble',
      unlicensed: 'waiting for a license',
      stopping: 'stopping',
      failed: 'failed',
    },
    license: { grace: 'the license could not be confirmed yet' },
    notices: noticeWords.en,
  },
  'pt-BR': {
    open: 'Abrir o Castellan',
    start: 'Iniciar tudo',
    stop: 'Parar tudo',
    restart: 'Reiniciar tudo',
    restartOne: (component) => `Reiniciar ${names[component]}`,
    logs: 'Abrir os logs',
    checkForUpdates: 'Procurar atualizações',
    autostart: 'Iniciar com este computador',
    quit: 'Sair e parar tudo',
    quitServices: 'Sair; os serviços continuam',
    stopping: 'O Castellan está parando; o banco de dados é fechado em ordem.',
    inTray: 'O Castellan continua rodando. O ícone está na bandeja; saia por ele.',
    failed: 'Isso não funcionou',
    notStarted: 'Não foi possível abrir o Castellan',
    makeBundle: 'Criar um pacote de diagnóstico',
    bundleMade: 'O pacote está pronto',
    inBundle:
      'O pacote é um .zip para quem ajuda você. Senhas, chaves e tokens são retirados; nomes de jogadores, pessoas, servidores e pastas, IDs do Discord e endereços IP podem estar nele. Ele não vai a lugar nenhum sozinho.',
    close: 'Fechar',
    recordDamaged: 'As configurações desta janela estavam danificadas',
    recordDamagedText: (keptAs) =>
      `O Castellan encontrou a sua pasta de dados e iniciou a partir dela. Confira as configurações em Este computador. O arquivo danificado foi guardado como ${keptAs}.`,
    pageCrashed: 'A página travou várias vezes. Seus servidores e o sistema não são afetados.',
    tryAgain: 'Tentar de novo',
    cut: 'Recortar',
    copy: 'Copiar',
    paste: 'Colar',
    selectAll: 'Selecionar tudo',
    state: {
      stopped: 'parado',
      starting: 'iniciando',
      running: 'em execução',
      degraded: 'em execução, com problemas',
      unlicensed: 'esperando uma licença',
      stopping: 'parando',
      failed: 'falhou',
    },
    license: { grace: 'a licença ainda não pôde ser confirmada' },
    notices: noticeWords['pt-BR'],
  },
} as const satisfies Record<string, DesktopWords>;

/** @param locale of the system, such as `pt-BR` */
export const wordsFor = (locale: string): DesktopWords =>
  desktopWords[locale.startsWith('pt') ? 'pt-BR' : 'en'];
