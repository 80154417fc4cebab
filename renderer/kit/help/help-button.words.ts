import { defineWords } from '#contracts/kernel/words.ts';

export const helpButtonWords = defineWords({ help: 'Help' }, { help: 'Ajuda' });
