import { defineWords } from '#contracts/kernel/words.ts';

/** Help for the pages outside of the groups for games, store, community, activity and system. */
export const mainHelp = defineWords(
  {
    overview: {
      purpose:
        'Shows whether anything is wrong, who is playing and what needs you. When everything works and nothing waits for you, one green line says so.',
      first: {
        title: 'See what is wrong',
        how: 'Each problem has a row with its cause, since when it has lasted and a button that helps.',
      },
      second: {
        title: 'Check your servers',
        how: 'Each server shows its state, its map and its players over 24 hours. Choose one to open it.',
      },
      third: {
        title: 'Decide what waits for you',
        how: 'Deliveries, external orders, restored worlds, mod updates and all else that needs you are listed with a link to each.',
      },
    },
    profile: {
      purpose:
        'Your own account: password, two-step sign-in, sessions and how this panel looks. Nothing here changes anyone else.',
      first: {
        title: 'Turn on two-step sign-in',
        how: 'Scan the code with an authenticator app, enter the number it shows, and keep the recovery codes in a safe place.',
      },
      second: {
        title: 'End a session',
        how: 'Find the device under Your sessions and choose End. That device has to sign in again.',
      },
      third: {
        title: 'Make lists denser',
        how: 'Set the row height to Compact to see more at once. The choice is saved in this browser.',
      },
    },
    firstSteps: {
      purpose:
        'Leads you from an empty installation to a server that responds, with a first delivery. Each step shows whether it is done.',
      first: {
        title: 'Add your first server',
        how: 'Choose its game, enter the address, port and password of its console, and choose Add server.',
      },
      second: {
        title: 'Connect a Game Agent',
        how: 'Paste one command on the game’s machine. Starting, stopping, mods and world backups need it.',
      },
      third: {
        title: 'Deliver a first item',
        how: 'Create a product, choose a member and place a free test order. The step shows when it has arrived.',
      },
    },
    help: {
      purpose:
        'Everything that explains Castellan: what is new after an update, guides, and the reference of its API. All of it works without the internet.',
      first: {
        title: 'See what an update changed',
        how: 'The first tab lists what has changed since you last looked, and all earlier changes.',
      },
      second: {
        title: 'Read a guide',
        how: 'Choose one from the list. The headings at the top lead to each part.',
      },
      third: {
        title: 'Write a script',
        how: 'Open the API reference, search for what you need, fill in the parameters and copy the curl command.',
      },
    },
  },
  {
    overview: {
      purpose:
        'Mostra se algo está errado, quem está jogando e o que precisa de você. Quando está tudo bem e nada espera por você, uma linha verde diz isso.',
      first: {
        title: 'Ver o que está errado',
        how: 'Cada problema tem uma linha com a causa, desde quando dura e um botão que ajuda.',
      },
      second: {
        title: 'Conferir os servidores',
        how: 'Cada servidor mostra o estado, o mapa e os jogadores em 24 horas. Escolha um para abrir.',
      },
      third: {
        title: 'Decidir o que espera por você',
        how: 'Entregas, pedidos externos, mundos restaurados, atualizações de mods e tudo o mais que precisa de você aparecem com um link para cada item.',
      },
    },
    profile: {
      purpose:
        'Sua própria conta: senha, entrada em duas etapas, sessões e a aparência do painel. Nada aqui muda algo para outras pessoas.',
      first: {
        title: 'Ativar a entrada em duas etapas',
        how: 'Leia o código com um aplicativo autenticador, digite o número que ele mostra e guarde os códigos de recuperação em um lugar seguro.',
      },
      second: {
        title: 'Encerrar uma sessão',
        how: 'Encontre o dispositivo em Suas sessões e escolha Encerrar. Será preciso entrar de novo nele.',
      },
      third: {
        title: 'Deixar as listas mais compactas',
        how: 'Defina a altura das linhas como Compactas para ver mais de uma vez. A escolha fica salva neste navegador.',
      },
    },
    firstSteps: {
      purpose:
        'Leva você de uma instalação vazia a um servidor que responde, com uma primeira entrega. Cada passo mostra se já foi feito.',
      first: {
        title: 'Adicionar o primeiro servidor',
        how: 'Escolha o jogo, digite o endereço, a porta e a senha do console e escolha Adicionar servidor.',
      },
      second: {
        title: 'Conectar um agente de jogo',
        how: 'Cole um comando na máquina do jogo. Iniciar, parar, mods e backups dos mundos precisam dele.',
      },
      third: {
        title: 'Entregar o primeiro item',
        how: 'Crie um produto, escolha um membro e faça um pedido de teste grátis. O passo mostra quando ele chegou.',
      },
    },
    help: {
      purpose:
        'Tudo o que explica o Castellan: as novidades depois de uma atualização, guias e a referência da API. Tudo funciona sem internet.',
      first: {
        title: 'Ver o que uma atualização mudou',
        how: 'A primeira aba lista o que mudou desde a sua última visita e todas as mudanças anteriores.',
      },
      second: {
        title: 'Ler um guia',
        how: 'Escolha um na lista. Os títulos ficam no topo e levam a cada parte.',
      },
      third: {
        title: 'Escrever um script',
        how: 'Abra a referência da API, procure o que precisa, preencha os parâmetros e copie o comando curl.',
      },
    },
  },
);
