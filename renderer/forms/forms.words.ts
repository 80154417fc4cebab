import { type Language, plural } from '#contracts/language.ts';
import { defineWords } from '../language/define-words.ts';

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
    clearField: 'Empty this field',
    keepsSecret: 'Empty: stays as it is',
    newSecret: 'Not set yet',
    set: 'Set',
    notSet: 'Not set',
    unreadable: {
      'unknown-key': 'Cannot be read: encrypted with a key that is missing',
      damaged: 'Cannot be read: damaged',
    },
    unreadableRemedy: 'Enter it again, or bring the old key back as the page “Secrets” explains.',
    secretKept: 'Kept encrypted and never shown again.',
    show: 'Show what is typed',
    clear: 'Clear',
    willClear: 'Will be cleared when you save.',
    keepIt: 'Keep it',
    notDrawn: 'This panel cannot change this field. Its value:',
    refused: (message: string) => `The API says: ${message}`,
    wordTaken: (word: string, others: string) =>
      `“${word}” stands for another command (${others}). Choose another word.`,
    faults: {
      missing: 'This field is required.',
      form: 'This is not in the expected format.',
      address: 'This is not an address. An address begins with https:// or http://.',
      number: 'This is not a number.',
      whole: 'Enter a whole number.',
      tooShort: (limit: number) => `At least ${plural.en(limit, 'character', 'characters')}.`,
      tooLong: (limit: number) => `At most ${plural.en(limit, 'character', 'characters')}.`,
      tooSmall: (limit: number) => `At least ${numbers.en(limit)}.`,
      tooLarge: (limit: number) => `At most ${numbers.en(limit)}.`,
      tooFew: (limit: number) => `At least ${plural.en(limit, 'entry', 'entries')}.`,
      tooMany: (limit: number) => `At most ${plural.en(limit, 'entry', 'entries')}.`,
      item: (item: string, fault: string) => `${item}: ${fault}`,
    },
  },
  {
    yes: 'Sim',
    no: 'Não',
    none: 'Nenhum',
    add: 'Digite e pressione Enter',
    clearField: 'Esvaziar este campo',
    keepsSecret: 'Vazio: continua como está',
    newSecret: 'Ainda não definido',
    set: 'Definido',
    notSet: 'Não definido',
    unreadable: {
      'unknown-key': 'Não pode ser lido: falta a chave com que foi criptografado',
      damaged: 'Não pode ser lido: danificado',
    },
    unreadableRemedy: 'Digite de novo, ou traga a chave antiga de volta como explica a página “Segredos”.',
    secretKept: 'Fica criptografado e nunca mais é mostrado.',
    show: 'Mostrar o que foi digitado',
    clear: 'Limpar',
    willClear: 'Será limpo quando você salvar.',
    keepIt: 'Manter',
    notDrawn: 'Este painel não consegue alterar este campo. O valor:',
    refused: (message: string) => `A API respondeu: ${message}`,
    wordTaken: (word: string, others: string) =>
      `“${word}” já vale para outro comando (${others}). Escolha outra palavra.`,
    faults: {
      missing: 'Este campo é obrigatório.',
      form: 'Não está no formato esperado.',
      address: 'Isto não é um endereço. Um endereço começa com https:// ou http://.',
      number: 'Isto não é um número.',
      whole: 'Digite um número inteiro.',
      tooShort: (limit: number) => `Pelo menos ${plural.pt(limit, 'caractere', 'caracteres')}.`,
      tooLong: (limit: number) => `No máximo ${plural.pt(limit, 'caractere', 'caracteres')}.`,
      tooSmall: (limit: number) => `No mínimo ${numbers.pt(limit)}.`,
      tooLarge: (limit: number) => `No máximo ${numbers.pt(limit)}.`,
      tooFew: (limit: number) => `Pelo menos ${plural.pt(limit, 'item', 'itens')}.`,
      tooMany: (limit: number) => `No máximo ${plural.pt(limit, 'item', 'itens')}.`,
      item: (item: string, fault: string) => `${item}: ${fault}`,
    },
  },
);
