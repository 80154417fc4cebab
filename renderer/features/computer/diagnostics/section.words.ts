import { plural } from '#contracts/language.ts';
import { defineWords } from '../../../language/define-words.ts';

export const diagnosticsSectionWords = defineWords(
  {
    bundle: 'Diagnostics bundle',
    parts: 'Parts of the stack',
    names: { postgres: 'Database', api: 'API', bot: 'Discord bot' },
    states: {
      stopped: 'stopped',
      starting: 'starting',
      running: 'running',
      unhealthy: 'running with trouble',
      stopping: 'stopping',
      crashed: 'crashed, is started again soon',
      failed: 'has failed',
    },
    restarts: (count: number) => plural.en(count, 'restart after a crash', 'restarts after crashes'),
    restart: 'Restart',
    restartOne: (part: string) => `Restart: ${part}`,
    restartAll: 'Restart everything',
    question: (part: string) => `Restart: ${part}?`,
    all: 'everything',
    restartText:
      'Settings in .env are read again. Game servers go on; for some seconds nothing here answers.',
    logs: 'Logs',
    logsText: 'The end of each log file, as it lies on the disk.',
    logsPage: 'All of it, searched and live',
    runs: 'What runs here',
    programs: {
      castellan: 'Castellan',
      electron: 'Electron',
      chromium: 'Chromium',
      nodeOfElectron: 'Node.js in Electron',
    },
  },
  {
    bundle: 'Pacote de diagnóstico',
    parts: 'Partes do sistema',
    names: { postgres: 'Banco de dados', api: 'API', bot: 'Bot do Discord' },
    states: {
      stopped: 'parado',
      starting: 'iniciando',
      running: 'em execução',
      unhealthy: 'em execução, com problemas',
      stopping: 'parando',
      crashed: 'caiu, será iniciado de novo em breve',
      failed: 'falhou',
    },
    restarts: (count: number) => plural.pt(count, 'reinício após queda', 'reinícios após quedas'),
    restart: 'Reiniciar',
    restartOne: (part: string) => `Reiniciar: ${part}`,
    restartAll: 'Reiniciar tudo',
    question: (part: string) => `Reiniciar: ${part}?`,
    all: 'tudo',
    restartText:
      'As configurações do .env são lidas de novo. Os servidores de jogo continuam; por alguns segundos nada aqui responde.',
    logs: 'Logs',
    logsText: 'O fim de cada arquivo de log, como está no disco.',
    logsPage: 'Tudo, com busca e ao vivo',
    runs: 'O que roda aqui',
    programs: {
      castellan: 'Castellan',
      electron: 'Electron',
      chromium: 'Chromium',
      nodeOfElectron: 'Node.js no Electron',
    },
  },
);
