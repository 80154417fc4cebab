import type { ComponentName } from '#contracts/stack.ts';
import type { Notice } from './notices.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** How a notice reads, as the system shows it. */
export interface NoticeWords {
  readonly textOf: (notice: Notice) => NoticeText;
}

type Parts = Readonly<Record<ComponentName, string>>;

const gib = (bytes: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 }).format(
    bytes / 2 ** 30,
  );

const english: Parts = { postgres: 'The database', api: 'The API', bot: 'The Discord bot' };
const portuguese: Parts = { postgres: 'O banco de dados', api: 'A API', bot: 'O bot do Discord' };

/** Reasons of components come from the programs themselves, in English. */
export const noticeWords: Readonly<Record<'en' | 'pt-BR', NoticeWords>> = {
  en: {
    textOf(notice) {
      switch (notice.kind) {
        case 'component-failed':
          return {
            title: `${english[notice.component]} has failed`,
            body: notice.reason ?? 'It is not started again by itself. Click to see what it said.',
          };
        case 'component-troubled':
          return {
            title: `${english[notice.component]} has been in trouble for minutes`,
            body: notice.reason ?? 'Click to see what it said.',
          };
        case 'stack-back':
          return { title: 'Everything runs again', body: 'What had failed is back.' };
        case 'license-grace': {
          const { daysLeft } = notice;
          return {
            title: `The license could not be confirmed; ${daysLeft === 1 ? '1 day' : `${daysLeft} days`} left`,
            body: 'Then Castellan stops working. Check that this machine reaches the internet.',
          };
        }
        case 'license-refused':
          return { title: 'Castellan waits for a license', body: notice.detail };
        case 'license-back':
          return { title: 'The license holds', body: 'Castellan works again.' };
        case 'disk-low':
          return {
            title: `The disk is nearly full: ${gib(notice.freeBytes, 'en')} left`,
            body: 'Make room, or move the data folder to another disk, before the database has to stop.',
          };
        case 'update-ready':
          return {
            title: `Castellan ${notice.version} is ready`,
            body: 'Click to read about it and install it.',
          };
        case 'game-crashed':
          return {
            title: `${notice.name} crashed`,
            body: 'It starts again by itself. Click to see its last lines.',
          };
        case 'game-stays-down':
          return {
            title: `${notice.name} crashed ${notice.crashes === 1 ? 'once' : `${notice.crashes} times`} and stays down`,
            body: 'Click to see its last lines and to start it.',
          };
        case 'games-crashed':
          return { title: 'More game servers crashed', body: 'Click to see how all of them are.' };
      }
    },
  },
  'pt-BR': {
    textOf(notice) {
      switch (notice.kind) {
        case 'component-failed':
          return {
            title: `${portuguese[notice.component]} falhou`,
            body: notice.reason ?? 'Não haverá nova tentativa automática. Clique para ver o motivo.',
          };
        case 'component-troubled':
          return {
            title: `${portuguese[notice.component]} está com problemas há alguns minutos`,
            body: notice.reason ?? 'Clique para ver o motivo.',
          };
        case 'stack-back':
          return { title: 'Tudo está rodando de novo', body: 'O que tinha falhado voltou.' };
        case 'license-grace': {
          const { daysLeft } = notice;
          return {
            title: `A licença não pôde ser confirmada; ${daysLeft === 1 ? 'falta 1 dia' : `faltam ${daysLeft} dias`}`,
            body: 'Depois disso o Castellan para de funcionar. Verifique se esta máquina alcança a internet.',
          };
        }
        case 'license-refused':
          return {
            title: 'O Castellan espera uma licença válida',
            body: 'Clique para ver o motivo e ativar uma licença.',
          };
        case 'license-back':
          return { title: 'A licença é válida', body: 'O Castellan funciona de novo.' };
        case 'disk-low':
          return {
            title: `O disco está quase cheio: restam ${gib(notice.freeBytes, 'pt-BR')}`,
            body: 'Libere espaço ou mova a pasta de dados para outro disco antes que o banco de dados tenha de parar.',
          };
        case 'update-ready':
          return {
            title: `O Castellan ${notice.version} está pronto`,
            body: 'Clique para ler sobre ele e instalar.',
          };
        case 'game-crashed':
          return {
            title: `${notice.name} caiu`,
            body: 'Ele liga de novo sozinho. Clique para ver as últimas linhas.',
          };
        case 'game-stays-down':
          return {
            title: `${notice.name} caiu ${notice.crashes === 1 ? 'uma vez' : `${notice.crashes} vezes`} e fica desligado`,
            body: 'Clique para ver as últimas linhas e ligá-lo.',
          };
        case 'games-crashed':
          return {
            title: 'Mais servidores de jogo caíram',
            body: 'Clique para ver como estão todos.',
          };
      }
    },
  },
};
