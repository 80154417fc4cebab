import type { ComponentName } from '#contracts/operations/stack.ts';
import type { Notice } from './notices.ts';

interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** The text of a notice, as the system shows it. */
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
            body: notice.reason ?? 'Castellan does not restart it by itself. Click to see why.',
          };
        case 'component-troubled':
          return {
            title: `${english[notice.component]} has had problems for several minutes`,
            body: notice.reason ?? 'Click to see why.',
          };
        case 'stack-back':
          return { title: 'Everything is running again', body: 'What had failed works again.' };
        case 'license-grace': {
          const { daysLeft } = notice;
          return {
            title: `The license could not be confirmed; ${daysLeft === 1 ? '1 day' : `${daysLeft} days`} left`,
            body: 'After that, Castellan stops working. Check that this machine is connected to the internet.',
          };
        }
        case 'license-refused':
          return { title: 'Castellan needs a license', body: notice.detail };
        case 'license-back':
          return { title: 'License active', body: 'Castellan works again.' };
        case 'disk-low':
          return {
            title: `The disk is nearly full: ${gib(notice.freeBytes, 'en')} left`,
            body: 'Make room or move the data folder to another disk before the database has to stop.',
          };
        case 'update-ready':
          return {
            title: `Castellan ${notice.version} is ready`,
            body: 'Click to read about it and install it.',
          };
        case 'game-crashed':
          return {
            title: `${notice.name} crashed`,
            body: 'It restarts by itself. Click to see its last lines.',
          };
        case 'game-stays-down':
          return {
            title: `${notice.name} crashed ${notice.crashes === 1 ? 'once' : `${notice.crashes} times`} and stays down`,
            body: 'Click to see its last lines and start it.',
          };
        case 'games-crashed':
          return { title: 'More game servers crashed', body: 'Click to see how all of them are doing.' };
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
          return { title: 'Tudo está em execução de novo', body: 'O que tinha falhado voltou a funcionar.' };
        case 'license-grace': {
          const { daysLeft } = notice;
          return {
            title: `A licença não pôde ser confirmada; ${daysLeft === 1 ? 'falta 1 dia' : `faltam ${daysLeft} dias`}`,
            body: 'Depois disso, o Castellan para de funcionar. Verifique se esta máquina está conectada à internet.',
          };
        }
        case 'license-refused':
          return {
            title: 'O Castellan precisa de uma licença',
            body: 'Clique para ver o motivo e ativar uma licença.',
          };
        case 'license-back':
          return { title: 'Licença ativa', body: 'O Castellan funciona de novo.' };
        case 'disk-low':
          return {
            title: `O disco está quase cheio: restam ${gib(notice.freeBytes, 'pt-BR')}`,
            body: 'Libere espaço ou mova a pasta de dados para outro disco antes que o banco de dados precise parar.',
          };
        case 'update-ready':
          return {
            title: `O Castellan ${notice.version} está pronto`,
            body: 'Clique para ler sobre ele e instalar.',
          };
        case 'game-crashed':
          return {
            title: `${notice.name} caiu`,
            body: 'Ele reinicia sozinho. Clique para ver as últimas linhas.',
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
