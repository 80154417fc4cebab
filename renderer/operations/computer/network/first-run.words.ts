import { defineWords } from '#contracts/kernel/words.ts';

export const firstRunWords = defineWords(
  {
    title: 'Welcome to Castellan',
    text: 'Everything runs on this computer. If you are not sure, just continue: you can change all of it later.',
    next: 'Continue',
    takeUp: 'Use this installation',
    refused: 'Setup failed',
    advanced: 'Advanced',
    advancedText: 'Ports, access from other computers, start with this computer, Discord bot',
    stagesText: 'Castellan is being set up. This usually takes less than a minute.',
    stages: {
      folder: 'Creating the data folder',
      'demo-portal': 'Starting the demo license portal and its database',
      settings: 'Saving the settings',
      'demo-license': 'Activating the demo license',
      firewall: 'Waiting for Windows Firewall permission',
      start: 'Starting Castellan',
    },
    checking: 'Checking …',
    gone: (home: string) =>
      `The data folder ${home} was not found. If it is on an external drive, connect it and try again. To start over, choose another folder.`,
    noAccess: 'This account may not open Castellan’s data folder',
    noAccessText:
      'Castellan is set up on this computer for another account. Sign in with that account, or ask its owner or an administrator for access. Then try again.',
    tryAgain: 'Try again',
    damaged: 'The settings of this window are damaged',
    damagedText:
      'If Castellan has run on this machine before, choose its data folder: everything in it is kept. Damaged file:',
    unspellable: 'Castellan can’t run from this installation folder',
    unspellableText:
      'The database can’t use some letters in its path. Install Castellan in a folder with plain letters (a–z).',
    programsFolder: 'Castellan is better installed in another folder',
    libraries: 'A Windows component is missing',
    librariesText: (names: string) =>
      `The database needs ${names}. Install the Microsoft Visual C++ Redistributable 2015–2022 (x64), then try again.`,
    librariesLink: 'Download from Microsoft',
    portal: {
      title: 'License',
      demo: 'Demo license',
      demoText: 'Everything works. You can connect to a license portal later.',
      own: 'License from a vendor',
      ownText: 'You need the address of your vendor’s license portal.',
      confirmed: 'You have confirmed this portal’s key.',
      address: 'Portal address',
      addressHelp: 'You get it from your vendor.',
      paste: 'I have the portal’s public key',
      key: 'Public key',
      keyHelp: '43 letters, digits, - and _. It must match the portal’s key.',
      keyWrong: 'Enter all 43 characters: letters, digits, - and _.',
      compare:
        'Compare this fingerprint with the one from your vendor. If they differ, this is not your vendor’s portal.',
      matches: 'The portal’s key matches yours.',
      foundAddress: 'Portal',
      fingerprint: 'Fingerprint',
      confirm: 'They match, continue',
      plainConfirm: 'Connect without encryption',
      faults: {
        'no-address': {
          title: 'Invalid address',
          text: 'Enter it like https://licenses.example.com.',
        },
        plain: {
          title: 'This connection is not encrypted',
          text: 'Others on the network could read your license key. Use https, or confirm below if you trust the network.',
        },
        unreachable: {
          title: 'The portal could not be reached',
          text: 'Check the address and this machine’s internet connection. Then try again.',
        },
        'no-portal': {
          title: 'No license portal at this address',
          text: 'Check the address with your vendor.',
        },
        'other-key': {
          title: 'The portal has a different key',
          text: 'Check the address and the key with your vendor. If both are right, don’t continue: this is not your vendor’s portal.',
        },
      },
    },
    folder: {
      text: 'For the database, backups, logs and settings. Choose an internal drive with a few gigabytes free.',
      label: 'Data folder',
      choose: 'Choose …',
      usual: 'Use default folder',
      takenUp: 'This folder contains an installation. Castellan uses it with its settings.',
      wrong: {
        'key-lost':
          'This folder has a database, but not the .env file with the key to its secrets. Put the .env file back, or choose another folder.',
        'half-database':
          'This folder has a database that was never completed. Move it to another place, or choose another folder.',
        away: 'Your installation was in this folder. Connect its drive and try again. To start over, choose another folder.',
      },
    },
    network: {
      title: 'Network',
      apiPort: 'Panel port',
      postgresPort: 'Database port',
      taken: (port: number, owner: string) => `Port ${port} is in use by ${owner}.`,
      takenUnknown: (port: number) => `Port ${port} is in use by another program.`,
      forbidden: (port: number) =>
        `Port ${port} can’t be used on this machine: the system has reserved it, as Windows does for Hyper-V, WSL and Docker.`,
      twice: 'Choose two different ports.',
      freeInstead: (port: number) => `Use ${port} instead`,
      open: 'Allow access from other computers',
      openText: 'For game servers and browsers on other computers. If off: this computer only.',
      openAddresses: 'Addresses for Game Agents and browsers on other machines:',
      openRisk:
        'Without a certificate, passwords are sent unencrypted. Allow this only on a network you trust, or use a reverse proxy with TLS.',
      firewall:
        'Windows Firewall blocks other machines. At the end of setup, Windows asks for administrator permission to let them through. You can also do this later under This computer.',
      autostart: 'Start when you sign in',
      autostartText: 'To run without anyone signed in, add services later under This computer.',
    },
    discord: {
      title: 'Discord bot (optional)',
      text: 'Find it in the Discord developer portal, under Bot. You can add it later.',
      test: 'Test bot',
    },
  },
  {
    title: 'Boas-vindas ao Castellan',
    text: 'Tudo roda neste computador. Na dúvida, basta continuar: tudo pode ser mudado depois.',
    next: 'Continuar',
    takeUp: 'Usar esta instalação',
    refused: 'A configuração falhou',
    advanced: 'Avançado',
    advancedText: 'Portas, acesso de outros computadores, início com o computador, bot do Discord',
    stagesText: 'O Castellan está sendo configurado. Costuma levar menos de um minuto.',
    stages: {
      folder: 'Criando a pasta de dados',
      'demo-portal': 'Iniciando o portal de demonstração e o banco de dados dele',
      settings: 'Gravando as configurações',
      'demo-license': 'Ativando a licença de demonstração',
      firewall: 'Esperando a permissão do Firewall do Windows',
      start: 'Iniciando o Castellan',
    },
    checking: 'Verificando …',
    gone: (home: string) =>
      `A pasta de dados ${home} não foi encontrada. Se ela fica em um disco externo, conecte-o e tente de novo. Para começar do zero, escolha outra pasta.`,
    noAccess: 'Esta conta não pode abrir a pasta de dados do Castellan',
    noAccessText:
      'O Castellan está configurado neste computador para outra conta. Entre com essa conta, ou peça acesso ao dono dela ou a um administrador. Depois tente de novo.',
    tryAgain: 'Tentar de novo',
    damaged: 'As configurações desta janela estão danificadas',
    damagedText:
      'Se o Castellan já rodou nesta máquina, escolha a pasta de dados dele: tudo o que está nela é mantido. Arquivo danificado:',
    unspellable: 'O Castellan não pode rodar nesta pasta de instalação',
    unspellableText:
      'O banco de dados não consegue usar algumas letras do caminho. Instale o Castellan em uma pasta com letras simples (a–z).',
    programsFolder: 'É melhor instalar o Castellan em outra pasta',
    libraries: 'Falta um componente do Windows',
    librariesText: (names: string) =>
      `O banco de dados precisa de ${names}. Instale o Microsoft Visual C++ Redistributable 2015–2022 (x64) e tente de novo.`,
    librariesLink: 'Baixar da Microsoft',
    portal: {
      title: 'Licença',
      demo: 'Licença de demonstração',
      demoText: 'Tudo funciona. Você pode conectar um portal de licenças depois.',
      own: 'Licença de um vendedor',
      ownText: 'Você precisa do endereço do portal de licenças do seu vendedor.',
      confirmed: 'Você confirmou a chave deste portal.',
      address: 'Endereço do portal',
      addressHelp: 'O seu vendedor informa o endereço.',
      paste: 'Tenho a chave pública do portal',
      key: 'Chave pública',
      keyHelp: '43 letras, números, - e _. Precisa ser igual à chave do portal.',
      keyWrong: 'Digite os 43 caracteres: letras, números, - e _.',
      compare:
        'Compare esta impressão digital com a do seu vendedor. Se forem diferentes, este não é o portal do seu vendedor.',
      matches: 'A chave do portal é igual à sua.',
      foundAddress: 'Portal',
      fingerprint: 'Impressão digital',
      confirm: 'São iguais, continuar',
      plainConfirm: 'Conectar sem criptografia',
      faults: {
        'no-address': {
          title: 'Endereço inválido',
          text: 'Digite como https://licenses.example.com.',
        },
        plain: {
          title: 'Esta conexão não é criptografada',
          text: 'Outras pessoas na rede poderiam ler sua chave de licença. Use https, ou confirme abaixo se você confia na rede.',
        },
        unreachable: {
          title: 'Não foi possível alcançar o portal',
          text: 'Confira o endereço e a conexão desta máquina com a internet. Depois tente de novo.',
        },
        'no-portal': {
          title: 'Não há um portal de licenças neste endereço',
          text: 'Confira o endereço com o seu vendedor.',
        },
        'other-key': {
          title: 'O portal tem outra chave',
          text: 'Confira o endereço e a chave com o seu vendedor. Se os dois estiverem certos, não continue: este não é o portal do seu vendedor.',
        },
      },
    },
    folder: {
      text: 'Para o banco de dados, backups, logs e configurações. Escolha um disco interno com alguns gigabytes livres.',
      label: 'Pasta de dados',
      choose: 'Escolher …',
      usual: 'Usar a pasta padrão',
      takenUp: 'Esta pasta contém uma instalação. O Castellan a usa com as configurações dela.',
      wrong: {
        'key-lost':
          'Esta pasta tem um banco de dados, mas não o arquivo .env com a chave dos segredos. Coloque o arquivo .env de volta ou escolha outra pasta.',
        'half-database':
          'Esta pasta tem um banco de dados que não chegou a ficar completo. Mova-o para outro lugar ou escolha outra pasta.',
        away: 'Sua instalação estava nesta pasta. Conecte o disco dela e tente de novo. Para começar do zero, escolha outra pasta.',
      },
    },
    network: {
      title: 'Rede',
      apiPort: 'Porta do painel',
      postgresPort: 'Porta do banco',
      taken: (port: number, owner: string) => `A porta ${port} está em uso por ${owner}.`,
      takenUnknown: (port: number) => `A porta ${port} está em uso por outro programa.`,
      forbidden: (port: number) =>
        `A porta ${port} não pode ser usada nesta máquina: o sistema a reservou, como o Windows faz para Hyper-V, WSL e Docker.`,
      twice: 'Escolha duas portas diferentes.',
      freeInstead: (port: number) => `Usar a ${port}`,
      open: 'Permitir acesso de outros computadores',
      openText:
        'Para servidores de jogo e navegadores em outros computadores. Se desligado: só este computador.',
      openAddresses: 'Endereços para agentes de jogo e navegadores em outras máquinas:',
      openRisk:
        'Sem certificado, as senhas são enviadas sem criptografia. Permita só em uma rede em que você confia, ou use um proxy reverso com TLS.',
      firewall:
        'O Firewall do Windows bloqueia outras máquinas. No fim da configuração, o Windows pede permissão de administrador para liberá-las. Você também pode fazer isso depois em Este computador.',
      autostart: 'Iniciar quando você entra',
      autostartText: 'Para rodar sem ninguém conectado, adicione os serviços depois em Este computador.',
    },
    discord: {
      title: 'Bot do Discord (opcional)',
      text: 'Está no portal de desenvolvedores do Discord, em Bot. Você pode adicioná-lo depois.',
      test: 'Testar o bot',
    },
  },
);
