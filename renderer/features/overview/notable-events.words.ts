import { defineWords } from '../../language/define-words.ts';

export const notableEventsWords = defineWords(
  {
    title: 'To look at',
    all: 'All events',
    none: 'Nothing to look at',
    noneText: 'Warnings and alerts appear here as they come.',
  },
  {
    title: 'Precisa de atenção',
    all: 'Todos os eventos',
    none: 'Nada que precise de atenção',
    noneText: 'Avisos e alertas aparecem aqui assim que chegam.',
  },
);
