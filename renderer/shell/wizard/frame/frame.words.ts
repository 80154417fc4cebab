import { defineWords } from '#contracts/kernel/words.ts';

export const frameWords = defineWords(
  {
    steps: 'Steps',
    place: (at: number, of: number) => `Step ${at} of ${of}`,
    names: { computer: 'This computer', license: 'License', owner: 'Your account' },
    done: 'done',
  },
  {
    steps: 'Etapas',
    place: (at: number, of: number) => `Etapa ${at} de ${of}`,
    names: { computer: 'Este computador', license: 'Licença', owner: 'Sua conta' },
    done: 'concluída',
  },
);
