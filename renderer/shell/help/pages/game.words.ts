import { defineWords } from '#contracts/kernel/words.ts';

/** Help for the pages of the group "Games". */
export const gameHelp = defineWords(
  {
    servers: {
      purpose:
        'All game servers, their state and who is on them. A server’s own page has its console, players, worlds, mods and settings.',
      first: {
        title: 'Add a server',
        how: 'Choose Add server, its game and cluster, enter the host and password of its console, and test the connection.',
      },
      second: {
        title: 'Send a command',
        how: 'Open the server and its console, type the command and press Enter. The arrow keys bring back earlier commands.',
      },
      third: {
        title: 'Restart a server',
        how: 'Open the server and choose Restart. You can announce it to players first. This needs a Game Agent that can start the game.',
      },
    },
    clusters: {
      purpose:
        'A cluster groups servers that belong together, such as the maps of one community. Your license says how many you may have.',
      first: {
        title: 'Create a cluster',
        how: 'Choose New cluster and enter a name that players recognize. Then choose it in the settings of its servers.',
      },
      second: {
        title: 'Move a server',
        how: 'Open the settings of the server and choose another cluster. Its history goes along.',
      },
      third: {
        title: 'Archive a cluster',
        how: 'Archive it once its servers are archived or moved. You can restore it at any time.',
      },
    },
    players: {
      purpose:
        'Everyone ever seen on your servers, with earlier names, sessions and playtime. Search also finds former names and platform IDs.',
      first: {
        title: 'Find a player',
        how: 'Type part of any name, current or past, or the full platform ID. The list shows who is online and where.',
      },
      second: {
        title: 'Message or kick',
        how: 'Open the player and choose Message or Kick. The game’s reply shows whether it worked.',
      },
      third: {
        title: 'Ban a player',
        how: 'Open the player, choose Ban, and enter where, for how long and why. Servers that are offline get the ban when they are back.',
      },
    },
    bans: {
      purpose:
        'All bans that Castellan keeps: who, why, since when and on which servers. Castellan sends them to all their servers, including those that come online later.',
      first: {
        title: 'See where a ban is in force',
        how: 'Open it. Each server shows whether the game has confirmed the ban, or what it still waits for.',
      },
      second: {
        title: 'Unban a player',
        how: 'Choose Unban on the ban. It applies to all its servers; Ban again undoes it right after.',
      },
      third: {
        title: 'Ban a new player',
        how: 'Open the player under Players and choose Ban. Only servers of the player’s game are offered.',
      },
    },
    agents: {
      purpose:
        'The programs next to your game servers. A Game Agent sends commands, starts and stops the game, and manages worlds and mods.',
      first: {
        title: 'Set up a Game Agent',
        how: 'Open the server, choose Create command, and paste the command into a terminal on the game’s machine. The page shows each step as it happens.',
      },
      second: {
        title: 'See why a Game Agent is not responding',
        how: 'Open it. The page shows when it was last seen, its version, its clock and why a connection was rejected.',
      },
      third: {
        title: 'Move a Game Agent to another machine',
        how: 'Choose Create new command and paste the command there. The new Game Agent replaces the old one.',
      },
    },
    mods: {
      purpose:
        'The mods of all servers in one place: available updates, sets that several servers share, and changes in progress. A change is done whole or not at all.',
      first: {
        title: 'Update mods',
        how: 'Choose what to update and review the changes first. You can test the new mods on a copy, or start a rolling update.',
      },
      second: {
        title: 'Put the same mods on several servers',
        how: 'Choose New set and add mods to it. It changes no server until you apply it, and you review the changes first.',
      },
      third: {
        title: 'Undo a bad update',
        how: 'Open the server’s mods and choose Undo on the change. While Castellan monitors the game, it restores the old mods automatically if the game does not run.',
      },
    },
  },
  {
    servers: {
      purpose:
        'Todos os servidores de jogo, o estado de cada um e quem está neles. A página do servidor tem console, jogadores, mundos, mods e configurações.',
      first: {
        title: 'Adicionar um servidor',
        how: 'Escolha Adicionar servidor, o jogo e o cluster, digite o host e a senha do console e teste a conexão.',
      },
      second: {
        title: 'Enviar um comando',
        how: 'Abra o servidor e o console, digite o comando e pressione Enter. As setas trazem comandos anteriores.',
      },
      third: {
        title: 'Reiniciar um servidor',
        how: 'Abra o servidor e escolha Reiniciar. Você pode anunciar isso antes aos jogadores. É preciso um agente de jogo que possa iniciar o jogo.',
      },
    },
    clusters: {
      purpose:
        'Um cluster reúne servidores relacionados, como os mapas de uma comunidade. A licença diz quantos você pode ter.',
      first: {
        title: 'Criar um cluster',
        how: 'Escolha Novo cluster e digite um nome que os jogadores reconheçam. Depois, escolha-o nas configurações dos servidores.',
      },
      second: {
        title: 'Mover um servidor',
        how: 'Abra as configurações do servidor e escolha outro cluster. O histórico vai junto.',
      },
      third: {
        title: 'Arquivar um cluster',
        how: 'Arquive quando os servidores estiverem arquivados ou em outro cluster. Dá para restaurar a qualquer momento.',
      },
    },
    players: {
      purpose:
        'Todos que já foram vistos nos seus servidores, com nomes anteriores, sessões e tempo de jogo. A busca também encontra nomes antigos e IDs de plataforma.',
      first: {
        title: 'Encontrar um jogador',
        how: 'Digite parte de qualquer nome, atual ou antigo, ou o ID de plataforma completo. A lista mostra quem está online e onde.',
      },
      second: {
        title: 'Enviar mensagem ou expulsar',
        how: 'Abra o jogador e escolha Mensagem ou Expulsar. A resposta do jogo mostra se funcionou.',
      },
      third: {
        title: 'Banir um jogador',
        how: 'Abra o jogador, escolha Banir e informe onde, por quanto tempo e por quê. Servidores offline recebem o banimento quando voltam.',
      },
    },
    bans: {
      purpose:
        'Todos os banimentos que o Castellan guarda: quem, por quê, desde quando e em quais servidores. O Castellan os envia a todos os servidores deles, inclusive aos que ficam online depois.',
      first: {
        title: 'Ver onde um banimento está em vigor',
        how: 'Abra o banimento. Cada servidor mostra se o jogo confirmou ou o que ainda falta.',
      },
      second: {
        title: 'Desbanir um jogador',
        how: 'Escolha Desbanir no banimento. Vale para todos os servidores dele; Banir de novo desfaz isso logo em seguida.',
      },
      third: {
        title: 'Banir outro jogador',
        how: 'Abra o jogador em Jogadores e escolha Banir. Só são oferecidos servidores do jogo dele.',
      },
    },
    agents: {
      purpose:
        'Os programas que rodam ao lado dos seus servidores. Um agente de jogo envia comandos, inicia e para o jogo e gerencia mundos e mods.',
      first: {
        title: 'Configurar um agente de jogo',
        how: 'Abra o servidor, escolha Criar comando e cole o comando em um terminal da máquina do jogo. A página mostra cada passo na hora.',
      },
      second: {
        title: 'Ver por que um agente de jogo está sem resposta',
        how: 'Abra o agente de jogo. A página mostra o último contato, a versão, o relógio e por que uma conexão foi rejeitada.',
      },
      third: {
        title: 'Mudar um agente de jogo de máquina',
        how: 'Escolha Criar novo comando e cole o comando na outra máquina. O novo agente de jogo substitui o antigo.',
      },
    },
    mods: {
      purpose:
        'Os mods de todos os servidores em um lugar: atualizações disponíveis, conjuntos usados por vários servidores e alterações em andamento. Uma alteração acontece por inteiro ou não acontece.',
      first: {
        title: 'Atualizar mods',
        how: 'Escolha o que atualizar e revise as alterações antes. Dá para testar em uma cópia ou iniciar uma atualização gradual.',
      },
      second: {
        title: 'Usar os mesmos mods em vários servidores',
        how: 'Escolha Novo conjunto e adicione mods. Ele não muda nenhum servidor até você aplicar, e você revisa as alterações antes.',
      },
      third: {
        title: 'Desfazer uma atualização ruim',
        how: 'Abra os mods do servidor e escolha Desfazer na alteração. Enquanto o Castellan monitora o jogo, ele restaura os mods antigos automaticamente se o jogo não rodar.',
      },
    },
  },
);
