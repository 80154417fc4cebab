import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** What the browser's own checks of fields say; they are loaded with the first page. */
export const fieldMessagesWords = defineWords(
  {
    missing: 'Fill in this field.',
    form: 'Check the format.',
    range: 'This is outside of what is possible here.',
    tooSmall: (least: string) => `The lowest value is ${least}.`,
    tooLarge: (most: string) => `The highest value is ${most}.`,
    notPasted: (most: number) =>
      `Not pasted: this field holds at most ${plural.en(most, 'character', 'characters')}.`,
  },
  {
    missing: 'Preencha este campo.',
    form: 'Confira o formato.',
    range: 'Isto está fora do que é possível aqui.',
    tooSmall: (least: string) => `O menor valor é ${least}.`,
    tooLarge: (most: string) => `O maior valor é ${most}.`,
    notPasted: (most: number) =>
      `Não colado: este campo aceita no máximo ${plural.pt(most, 'caractere', 'caracteres')}.`,
  },
);
