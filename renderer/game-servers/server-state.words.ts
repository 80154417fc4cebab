import type { ShownState } from '#contracts/game-servers.ts';
import { plural } from '#contracts/language.ts';
import { defineWords } from '../language/define-words.ts';

export const serverStateWords = defineWords(
  {
    archived: 'Archived',
    states: {
      online: 'Online',
      running: 'Running',
      starting: 'Starting',
      'console-silent': 'No answer',
      stopping: 'Stopping',
      stopped: 'Stopped',
      'backing-off': 'Crashed',
      'crash-looping': 'Stays down',
      offline: 'Offline',
      lost: 'Not known',
      unknown: 'Not known',
    } satisfies Record<ShownState, string>,
    consoleSilent: 'Running, but its console does not answer',
    startsIn: (time: string) => `Crashed, starts again in ${time}`,
    startsNow: 'Crashed, starts again now',
    staysDown: (crashes: number) =>
      `Crashed ${plural.en(crashes, 'time', 'times')}; it stays down until you start it`,
    lostSince: (time: string) => `Not known since ${time}`,
  },
  {
    archived: 'Arquivado',
    states: {
      online: 'Online',
      running: 'Em execução',
      starting: 'Iniciando',
      'console-silent': 'Sem resposta',
      stopping: 'Desligando',
      stopped: 'Desligado',
      'backing-off': 'Caiu',
      'crash-looping': 'Fica desligado',
      offline: 'Offline',
      lost: 'Desconhecido',
      unknown: 'Desconhecido',
    } satisfies Record<ShownState, string>,
    consoleSilent: 'Em execução, mas o console não responde',
    startsIn: (time: string) => `Caiu, liga de novo em ${time}`,
    startsNow: 'Caiu, liga de novo agora',
    staysDown: (crashes: number) =>
      `Caiu ${plural.pt(crashes, 'vez', 'vezes')}; fica desligado até que você o ligue`,
    lostSince: (time: string) => `Desconhecido desde ${time}`,
  },
);
