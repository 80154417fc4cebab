import { defineWords } from '#contracts/kernel/words.ts';

export const memberDiscordWords = defineWords(
  {
    group: 'Group',
    groups: {
      'with-player': 'With a player',
      'in-discord': 'On the Discord server',
      linked: 'Discord and player linked',
      'without-player': 'Discord account, no player',
      'without-discord': 'Player, no Discord account',
      'left-discord': 'Left the Discord server',
    },
    id: (id: string) => `Discord id ${id}`,
    notLinked: 'Not linked',
    joined: 'On the Discord server; joined',
    here: 'On the Discord server',
    left: (name: string) => `Left · ${name}`,
    hasLeft: 'Left the Discord server',
    notSeen: 'Not on the Discord server',
  },
  {
    group: 'Grupo',
    groups: {
      'with-player': 'Com jogador',
      'in-discord': 'No servidor do Discord',
      linked: 'Discord e jogador vinculados',
      'without-player': 'Conta do Discord, sem jogador',
      'without-discord': 'Jogador, sem conta do Discord',
      'left-discord': 'Saiu do servidor do Discord',
    },
    id: (id: string) => `Id do Discord ${id}`,
    notLinked: 'Não vinculado',
    joined: 'No servidor do Discord; entrou',
    here: 'No servidor do Discord',
    left: (name: string) => `Saiu · ${name}`,
    hasLeft: 'Saiu do servidor do Discord',
    notSeen: 'Fora do servidor do Discord',
  },
);
