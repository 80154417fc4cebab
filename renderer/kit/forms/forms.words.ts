import { type Language, plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

const numbersIn = (language: Language) => {
  const { format } = new Intl.NumberFormat(language);
  return (value: number): string => format(value);
};
const numbers = { en: numbersIn('en'), pt: numbersIn('pt-BR') } as const;

export const formsWords = defineWords(
  {
    yes: 'Yes',
    no: 'No',
    none: 'None',
    add: 'Type and press Enter',
    clearField: 'Clear field',
    keepsSecret: 'If empty: unchanged',
    looseEnds: 'It begins or ends with a space, or contains invisible characters. They are saved with it.',
    newSecret: 'Not set',
    set: 'Set',
    notSet: 'Not set',
    unreadable: {
      'unknown-key': 'Unreadable: its encryption key is missing',
      damaged: 'Unreadable: damaged',
    },
    unreadableRemedy: 'Enter it again, or restore the old key as described under Secrets.',
    secretKept: 'Stored encrypted and never shown again.',
    show: 'Show',
    clear: 'Clear',
    willClear: 'Cleared when you save.',
    keepIt: 'Keep it',
    notDrawn: 'This field can’t be edited here. Its value:',
    refused: (message: string) => `Not accepted: ${message}`,
    wordTaken: (word: string, others: string) =>
      `“${word}” is already used by another command (${others}). Choose another word.`,
    faults: {
      missing: 'Fill in this field.',
      form: 'Check the format.',
      address: 'Enter an address that starts with https:// or http://.',
      number: 'Enter a number.',
      whole: 'Enter a whole number.',
      tooShort: (limit: number) => `Enter at least ${plural.en(limit, 'character', 'characters')}.`,
      tooLong: (limit: number) => `Use at most ${plural.en(limit, 'character', 'characters')}.`,
      tooSmall: (limit: number) => `Enter ${numbers.en(limit)} or more.`,
      tooLarge: (limit: number) => `Enter ${numbers.en(limit)} or less.`,
      tooFew: (limit: number) => `Add at least ${plural.en(limit, 'entry', 'entries')}.`,
      tooMany: (limit: number) => `Use at most ${plural.en(limit, 'entry', 'entries')}.`,
      item: (item: string, fault: string) => `${item}: ${fault}`,
    },
  },
  {
    yes: 'Sim',
    no: 'Não',
    none: 'Nenhum',
    add: 'Digite e pressione Enter',
    clearField: 'Limpar campo',
    keepsSecret: 'Se vazio: sem alteração',
    looseEnds: 'Começa ou termina com um espaço, ou contém caracteres invisíveis. Eles são salvos junto.',
    newSecret: 'Não definido',
    set: 'Definido',
    notSet: 'Não definido',
    unreadable: {
      'unknown-key': 'Ilegível: falta a chave de criptografia dele',
      damaged: 'Ilegível: danificado',
    },
    unreadableRemedy: 'Digite-o de novo, ou restaure a chave antiga como descrito em Segredos.',
    secretKept: 'Fica criptografado e nunca mais é mostrado.',
    show: 'Mostrar',
    clear: 'Limpar',
    willClear: 'Será limpo quando você salvar.',
    keepIt: 'Manter',
    notDrawn: 'Este campo não pode ser editado aqui. O valor:',
    refused: (message: string) => `Não aceito: ${message}`,
    wordTaken: (word: string, others: string) =>
      `“${word}” já é usada por outro comando (${others}). Escolha outra palavra.`,
    faults: {
      missing: 'Preencha este campo.',
      form: 'Confira o formato.',
      address: 'Digite um endereço que comece com https:// ou http://.',
      number: 'Digite um número.',
      whole: 'Digite um número inteiro.',
      tooShort: (limit: number) => `Digite pelo menos ${plural.pt(limit, 'caractere', 'caracteres')}.`,
      tooLong: (limit: number) => `Use no máximo ${plural.pt(limit, 'caractere', 'caracteres')}.`,
      tooSmall: (limit: number) => `Digite ${numbers.pt(limit)} ou mais.`,
      tooLarge: (limit: number) => `Digite ${numbers.pt(limit)} ou menos.`,
      tooFew: (limit: number) => `Adicione pelo menos ${plural.pt(limit, 'item', 'itens')}.`,
      tooMany: (limit: number) => `Use no máximo ${plural.pt(limit, 'item', 'itens')}.`,
      item: (item: string, fault: string) => `${item}: ${fault}`,
    },
  },
);
