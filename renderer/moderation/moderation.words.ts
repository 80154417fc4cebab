import { defineWords } from '../language/define-words.ts';

export const moderationWords = defineWords(
  {
    server: 'On which server',
    noServer: 'There is no server on which you can give orders to players.',
    choose: 'Choose a server',
    message: 'Message',
    reason: 'Reason, told to the player',
    reasonHelp: 'Optional. Not every game shows it.',
    again: 'Try again',
    actions: {
      message: {
        act: 'Send',
        verb: 'Message to',
        text: 'Only this player reads it, and only while on the server.',
      },
      kick: {
        act: 'Kick',
        verb: 'Kick',
        text: 'The player is removed from the server and can come back at once.',
      },
      ban: {
        act: 'Ban',
        verb: 'Ban',
        text: 'The player is removed from this server and cannot come back until somebody lifts the ban. Other servers are not affected.',
      },
      unban: { act: 'Lift the ban', verb: 'Lift the ban of', text: 'The player can join this server again.' },
      'whitelist-add': {
        act: 'Add',
        verb: 'Add to the whitelist:',
        text: 'The player can join this server while it lets in only those on its whitelist.',
      },
      'whitelist-remove': {
        act: 'Remove',
        verb: 'Remove from the whitelist:',
        text: 'The player can no longer join this server while it lets in only those on its whitelist.',
      },
    },
    menu: {
      message: 'Message',
      kick: 'Kick',
      ban: 'Ban',
      unban: 'Lift the ban',
      'whitelist-add': 'Add to the whitelist',
      'whitelist-remove': 'Remove from the whitelist',
    },
    more: 'More orders',
  },
  {
    server: 'Em qual servidor',
    noServer: 'Não há servidor em que você possa dar ordens a jogadores.',
    choose: 'Escolha um servidor',
    message: 'Mensagem',
    reason: 'Motivo, mostrado ao jogador',
    reasonHelp: 'Opcional. Nem todo jogo mostra.',
    again: 'Tentar de novo',
    actions: {
      message: {
        act: 'Enviar',
        verb: 'Mensagem para',
        text: 'Só este jogador lê, e só enquanto estiver no servidor.',
      },
      kick: {
        act: 'Dar kick',
        verb: 'Dar kick em',
        text: 'O jogador sai do servidor e pode voltar na hora.',
      },
      ban: {
        act: 'Banir',
        verb: 'Banir',
        text: 'O jogador sai deste servidor e não pode voltar até alguém remover o banimento. Os outros servidores não mudam.',
      },
      unban: {
        act: 'Remover o banimento',
        verb: 'Remover o banimento de',
        text: 'O jogador pode entrar de novo neste servidor.',
      },
      'whitelist-add': {
        act: 'Adicionar',
        verb: 'Adicionar à whitelist:',
        text: 'O jogador pode entrar neste servidor enquanto ele só aceita quem está na whitelist.',
      },
      'whitelist-remove': {
        act: 'Remover',
        verb: 'Remover da whitelist:',
        text: 'O jogador não pode mais entrar neste servidor enquanto ele só aceita quem está na whitelist.',
      },
    },
    menu: {
      message: 'Mensagem',
      kick: 'Dar kick',
      ban: 'Banir',
      unban: 'Remover o banimento',
      'whitelist-add': 'Adicionar à whitelist',
      'whitelist-remove': 'Remover da whitelist',
    },
    more: 'Mais ordens',
  },
);
