import { defineWords } from '#contracts/kernel/words.ts';

/** Help for the pages of the group "Community". */
export const communityHelp = defineWords(
  {
    members: {
      purpose:
        'The people behind players: each member has any number of players, at most one Discord account, and one wallet of points.',
      first: {
        title: 'Give or remove points',
        how: 'Open the member and give or remove points, with a note. The ledger keeps it.',
      },
      second: {
        title: 'Merge two members',
        how: 'If both are the same person, open one and choose Merge with another member. Wallets and orders come together, and you can undo it.',
      },
      third: {
        title: 'Erase a person’s data',
        how: 'Open the member and choose Erase this person. Names and accounts are deleted; sums stay without a name.',
      },
    },
    discord: {
      purpose:
        'The bot that connects your Discord server with Castellan: events in channels, server status, chat, roles and commands.',
      first: {
        title: 'Connect the bot',
        how: 'Copy its token from the Discord developer portal, paste it here and choose Test and save. The page shows what is still missing.',
      },
      second: {
        title: 'Show a server’s status',
        how: 'Choose Add status message, then a server or cluster and a channel. The message there stays up to date automatically.',
      },
      third: {
        title: 'Relay the chat',
        how: 'Choose Add chat relay, then a server, a channel and the directions in which messages go.',
      },
    },
  },
  {
    members: {
      purpose:
        'As pessoas por trás dos jogadores: cada membro tem vários jogadores, no máximo uma conta do Discord e uma carteira de pontos.',
      first: {
        title: 'Dar ou retirar pontos',
        how: 'Abra o membro e dê ou retire pontos, com uma observação. O extrato guarda isso.',
      },
      second: {
        title: 'Unir dois membros',
        how: 'Se os dois são a mesma pessoa, abra um e escolha Unir com outro membro. Carteiras e pedidos se juntam, e dá para desfazer.',
      },
      third: {
        title: 'Apagar os dados de uma pessoa',
        how: 'Abra o membro e escolha Apagar esta pessoa. Nomes e contas são apagados; as somas ficam sem nome.',
      },
    },
    discord: {
      purpose:
        'O bot que liga o seu servidor do Discord ao Castellan: eventos em canais, estado dos servidores, chat, cargos e comandos.',
      first: {
        title: 'Conectar o bot',
        how: 'Copie o token no portal de desenvolvedores do Discord, cole aqui e escolha Testar e salvar. A página mostra o que ainda falta.',
      },
      second: {
        title: 'Mostrar o estado de um servidor',
        how: 'Escolha Adicionar mensagem de status, depois um servidor ou cluster e um canal. A mensagem se atualiza automaticamente.',
      },
      third: {
        title: 'Repassar o chat',
        how: 'Escolha Adicionar repasse de chat, depois um servidor, um canal e os sentidos das mensagens.',
      },
    },
  },
);
