import { defineWords } from '../language/define-words.ts';

export const leavingWords = defineWords(
  {
    title: 'Castellan is stopping',
    text: 'The parts end one after the other, the database last and in order. The window closes by itself.',
    parts: { postgres: 'Database', api: 'API', bot: 'Discord bot' },
    stopped: 'stopped',
    stopping: 'stopping …',
  },
  {
    title: 'O Castellan está parando',
    text: 'As partes terminam uma após a outra, o banco de dados por último e em ordem. A janela fecha sozinha.',
    parts: { postgres: 'Banco de dados', api: 'API', bot: 'Bot do Discord' },
    stopped: 'parado',
    stopping: 'parando …',
  },
);
