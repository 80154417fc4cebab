import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const diagnosticsSectionWords = defineWords(
  {
    bundle: 'Diagnostics bundle',
    parts: 'Components',
    names: { postgres: 'Database', api: 'API', bot: 'Discord bot' },
    states: {
      stopped: 'Stopped',
      starting: 'Starting',
      running: 'Running',
      unhealthy: 'Running with problems',
      stopping: 'Stopping',
      crashed: 'Crashed, restarting soon',
      failed: 'Failed',
    },
    restarts: (count: number) => plural.en(count, 'restart after a crash', 'restarts after crashes'),
    restart: 'Restart',
    restartOne: (part: string) => `Restart: ${part}`,
    restartAll: 'Restart everything',
    question: (part: string) => `Restart: ${part}?`,
    all: 'everything',
    restartText:
      'This also reloads the .env file. Game servers keep running; the panel is unavailable for a few seconds.',
    logs: 'Logs',
    logsText: 'The last lines of each log.',
    logsPage: 'Search all logs live',
    runs: 'Program versions',
    programs: {
      castellan: 'Castellan',
      electron: 'Electron',
      chromium: 'Chromium',
      nodeOfElectron: 'Node.js in Electron',
    },
  },
  {
    bundle: 'Pacote de diagnóstico',
    parts: 'Componentes',
    names: { postgres: 'Banco de dados', api: 'API', bot: 'Bot do Discord' },
    states: {
      stopped: 'Parado',
      starting: 'Iniciando',
      running: 'Em execução',
      unhealthy: 'Em execução, com problemas',
      stopping: 'Parando',
      crashed: 'Caiu, reinicia em breve',
      failed: 'Falhou',
    },
    restarts: (count: number) => plural.pt(count, 'reinício após queda', 'reinícios após quedas'),
    restart: 'Reiniciar',
    restartOne: (part: string) => `Reiniciar: ${part}`,
    restartAll: 'Reiniciar tudo',
    question: (part: string) => `Reiniciar: ${part}?`,
    all: 'tudo',
    restartText:
      'Isto também recarrega o arquivo .env. Os servidores de jogo continuam rodando; o painel fica indisponível por alguns segundos.',
    logs: 'Logs',
    logsText: 'As últimas linhas de cada log.',
    logsPage: 'Buscar em todos os logs, ao vivo',
    runs: 'Versões dos programas',
    programs: {
      castellan: 'Castellan',
      electron: 'Electron',
      chromium: 'Chromium',
      nodeOfElectron: 'Node.js no Electron',
    },
  },
);
