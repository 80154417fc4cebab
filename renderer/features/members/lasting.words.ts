import { defineWords } from '../../language/define-words.ts';

export const lastingWords = defineWords(
  {
    title: 'What lasts',
    none: 'This member has nothing that lasts for a limited time.',
    lasts: 'Lasts',
    until: (time: string) => `Until ${time}`,
    endedOn: (time: string) => `Ended ${time}`,
    end: 'End now',
    endOne: (key: string) => `End now: ${key}`,
    endTitle: (key: string) => `End ${key} now?`,
    endText:
      'It is taken back now, as it would be at its end. Nothing is refunded, and this cannot be undone.',
    ended: (key: string) => `${key} has ended`,
    places: {
      held: (server: string) => `Given on ${server}`,
      taking: (server: string) => `Being taken back on ${server}`,
      giving: (server: string) => `Being given again on ${server}`,
      unknown: (server: string) => `Taken back on ${server}? No one can tell`,
      taken: (server: string) => `Taken back on ${server}`,
      'given-up': (server: string) => `Left on ${server}`,
    },
    retry: 'Send again',
    done: 'Mark as taken back',
  },
  {
    title: 'O que dura',
    none: 'Este membro não tem nada por tempo limitado.',
    lasts: 'Dura',
    until: (time: string) => `Até ${time}`,
    endedOn: (time: string) => `Terminou em ${time}`,
    end: 'Encerrar agora',
    endOne: (key: string) => `Encerrar agora: ${key}`,
    endTitle: (key: string) => `Encerrar ${key} agora?`,
    endText: 'É retirado agora, como seria no fim do prazo. Nada é reembolsado, e não dá para desfazer.',
    ended: (key: string) => `${key} foi encerrado`,
    places: {
      held: (server: string) => `Dado em ${server}`,
      taking: (server: string) => `Sendo retirado em ${server}`,
      giving: (server: string) => `Sendo dado de novo em ${server}`,
      unknown: (server: string) => `Retirado em ${server}? Não há como saber`,
      taken: (server: string) => `Retirado em ${server}`,
      'given-up': (server: string) => `Ficou em ${server}`,
    },
    retry: 'Enviar de novo',
    done: 'Marcar como retirado',
  },
);
