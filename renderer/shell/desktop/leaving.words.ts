import { defineWords } from '#contracts/kernel/words.ts';

export const leavingWords = defineWords(
  {
    title: 'Castellan is stopping',
    text: 'The database closes last. This window closes automatically.',
    parts: { postgres: 'Database', api: 'API', bot: 'Discord bot' },
    stopped: 'Stopped',
    stopping: 'Stopping …',
  },
  {
    title: 'O Castellan está parando',
    text: 'O banco de dados fecha por último. Esta janela se fecha automaticamente.',
    parts: { postgres: 'Banco de dados', api: 'API', bot: 'Bot do Discord' },
    stopped: 'Parado',
    stopping: 'Parando …',
  },
);
