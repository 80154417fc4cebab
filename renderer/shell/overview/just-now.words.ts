import { defineWords } from '#contracts/kernel/words.ts';

export const justNowWords = defineWords(
  {
    title: 'Just now',
    all: 'All events',
    none: 'Nothing yet. What happens on your servers and in Castellan appears here.',
  },
  {
    title: 'Agora há pouco',
    all: 'Todos os eventos',
    none: 'Nada ainda. O que acontece nos seus servidores e no Castellan aparece aqui.',
  },
);
