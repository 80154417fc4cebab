import { defineWords } from '#contracts/kernel/words.ts';

export const chartWords = defineWords(
  {
    numbers: 'Show table',
    describe: (title: string) => `${title}. The table below has the values.`,
  },
  {
    numbers: 'Mostrar tabela',
    describe: (title: string) => `${title}. A tabela abaixo traz os valores.`,
  },
);
