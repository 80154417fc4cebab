import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';
import type { ShownState } from '#contracts/servers/game-servers.ts';

export const serverStateWords = defineWords(
  {
    archived: 'Archived',
    states: {
      online: 'Online',
      running: 'Running',
      starting: 'Starting',
      'console-silent': 'Not responding',
      stopping: 'Stopping',
      stopped: 'Stopped',
      'program-fault': 'Cannot start',
      'backing-off': 'Crashed',
      'crash-looping': 'Stopped after crashes',
      offline: 'Offline',
      lost: 'Unknown',
      unknown: 'Unknown',
    } satisfies Record<ShownState, string>,
    notReadYet: 'Not read yet',
    consoleSilent: 'Running, but its console does not respond',
    startsIn: (time: string) => `Crashed, restarts in ${time}`,
    startsNow: 'Crashed, restarting now',
    staysDown: (crashes: number) =>
      `Crashed ${plural.en(crashes, 'time', 'times')}. Stopped until you start it`,
    programFault: 'Cannot start: its program is missing or cannot be run',
    lostSince: (time: string) => `Unknown since ${time}`,
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
      'program-fault': 'Não pode iniciar',
      'backing-off': 'Caiu',
      'crash-looping': 'Parado após quedas',
      offline: 'Offline',
      lost: 'Desconhecido',
      unknown: 'Desconhecido',
    } satisfies Record<ShownState, string>,
    notReadYet: 'Ainda não lido',
    consoleSilent: 'Em execução, mas o console não responde',
    startsIn: (time: string) => `Caiu, reinicia em ${time}`,
    startsNow: 'Caiu, reiniciando agora',
    staysDown: (crashes: number) => `Caiu ${plural.pt(crashes, 'vez', 'vezes')}. Parado até você ligá-lo`,
    programFault: 'Não pode iniciar: o programa não existe ou não pode ser executado',
    lostSince: (time: string) => `Desconhecido desde ${time}`,
  },
);
