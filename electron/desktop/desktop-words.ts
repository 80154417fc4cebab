import { plural } from '#contracts/kernel/language.ts';
import type { LicenseState } from '#contracts/license/license-state.ts';
import type { ComponentName, StackStatus } from '#contracts/operations/stack.ts';
import { type NoticeWords, noticeWords } from './notice-words.ts';

/** The desktop's texts outside its pages, in each language that the panel speaks. */
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
  /** Where Windows runs the stack, which keeps running. */
  readonly quitServices: string;
  readonly stopping: string;
  /** Shown once, when closing the window has left everything running. */
  readonly inTray: string;
  readonly failed: string;
  readonly notStarted: string;
  readonly makeBundle: string;
  readonly bundleMade: string;
  /** Shown before a bundle is made without a page that would say so. */
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
  /** Asked before what gives or takes away access, where a browser would ask for the password. */
  readonly stepUp: Readonly<Record<'question' | 'detail' | 'cancel' | 'confirm', string>>;
  readonly waiting: (count: number) => string;
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
    quitServices: 'Quit and leave the services running',
    stopping: 'Castellan is stopping. The database is being closed safely.',
    inTray: 'Castellan keeps running. To quit, use its icon in the tray.',
    failed: 'That did not work',
    notStarted: 'Castellan could not be opened',
    makeBundle: 'Create a diagnostics bundle',
    bundleMade: 'The diagnostics bundle is ready',
    inBundle:
      'The bundle is one .zip file for the person who helps you. Passwords, keys and tokens are removed. Names of players, people, servers and folders, Discord IDs and IP addresses can be in it. Castellan sends it nowhere.',
    close: 'Close',
    recordDamaged: 'The settings of the desktop were damaged',
    recordDamagedText: (keptAs) =>
      `Castellan found your data folder and started from it. Check the settings under “This computer”. The damaged file is kept as ${keptAs}.`,
    pageCrashed: 'The page crashed several times. Your servers and Castellan keep running.',
    tryAgain: 'Try again',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    state: {
      stopped: 'stopped',
      starting: 'starting',
      running: 'running',
      degraded: 'running with problems',
      unlicensed: 'waiting for a license',
      stopping: 'stopping',
      failed: 'failed',
    },
    stepUp: {
      question: 'Confirm it’s you',
      detail:
        'Castellan is about to change who has access, such as an owner, an API key or a password. Confirm only if you have just asked for this. The confirmation is valid for 10 minutes.',
      cancel: 'Cancel',
      confirm: 'Confirm',
    },
    waiting: (count) => plural.en(count, 'thing waits for you', 'things wait for you'),
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
    quitServices: 'Sair e deixar os serviços em execução',
    stopping: 'O Castellan está parando. O banco de dados está sendo fechado com segurança.',
    inTray: 'O Castellan continua em execução. Para sair, use o ícone na bandeja.',
    failed: 'Isso não funcionou',
    notStarted: 'Não foi possível abrir o Castellan',
    makeBundle: 'Criar um pacote de diagnóstico',
    bundleMade: 'O pacote de diagnóstico está pronto',
    inBundle:
      'O pacote é um arquivo .zip para a pessoa que ajuda você. Senhas, chaves e tokens são removidos. Nomes de jogadores, pessoas, servidores e pastas, IDs do Discord e endereços IP podem estar nele. O Castellan não o envia a ninguém.',
    close: 'Fechar',
    recordDamaged: 'As configurações do aplicativo estavam danificadas',
    recordDamagedText: (keptAs) =>
      `O Castellan encontrou sua pasta de dados e iniciou a partir dela. Confira as configurações em “Este computador”. O arquivo danificado foi guardado como ${keptAs}.`,
    pageCrashed: 'A página travou várias vezes. Seus servidores e o Castellan continuam em execução.',
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
    stepUp: {
      question: 'Confirme que é você',
      detail:
        'O Castellan vai alterar quem tem acesso, como um proprietário, uma chave de API ou uma senha. Confirme só se você acabou de pedir isso. A confirmação vale por 10 minutos.',
      cancel: 'Cancelar',
      confirm: 'Confirmar',
    },
    waiting: (count) => plural.pt(count, 'coisa espera por você', 'coisas esperam por você'),
    license: { grace: 'a licença ainda não pôde ser confirmada' },
    notices: noticeWords['pt-BR'],
  },
} as const satisfies Record<string, DesktopWords>;

/** @param locale of the system, such as `pt-BR` */
export const wordsFor = (locale: string): DesktopWords =>
  desktopWords[locale.startsWith('pt') ? 'pt-BR' : 'en'];
