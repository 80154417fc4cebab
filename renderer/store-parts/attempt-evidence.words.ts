import { defineWords } from '../language/define-words.ts';

/** What speaks for or against the arrival of a delivery, beside the game's answer. */
export const attemptEvidenceWords = defineWords(
  {
    before: 'Was the player there before',
    after: 'Was the player there after',
    yes: 'Yes',
    no: 'No',
    notKnown: 'Not known',
    notNeeded: 'No player is needed',
    notChecked: 'Not checked',
    record: 'The game’s own record',
    noRecord: 'This game keeps none',
    notAsked: 'It was not asked, or did not answer',
    marks: {
      given: 'It was given',
      refused: 'It was not given',
      withdrawn: 'It was withdrawn before it could be given',
      absent: 'Nothing is written there: it was not given, or the world was set back',
      unreadable: 'Its answer could not be read',
    },
    log: 'From the game’s log',
    counterCommand: 'Taken back by',
    all: 'Everything that was written down',
  },
  {
    before: 'O jogador estava lá antes',
    after: 'O jogador estava lá depois',
    yes: 'Sim',
    no: 'Não',
    notKnown: 'Não se sabe',
    notNeeded: 'Não precisa de jogador',
    notChecked: 'Não foi verificado',
    record: 'O registro do próprio jogo',
    noRecord: 'Este jogo não tem um',
    notAsked: 'Não foi consultado, ou não respondeu',
    marks: {
      given: 'Foi dado',
      refused: 'Não foi dado',
      withdrawn: 'Foi retirado antes de ser dado',
      absent: 'Não há nada escrito: não foi dado, ou o mundo voltou atrás',
      unreadable: 'Não foi possível ler a resposta',
    },
    log: 'Do log do jogo',
    counterCommand: 'Retirado com',
    all: 'Tudo o que foi anotado',
  },
);
