import { defineWords } from '../../../language/define-words.ts';

export const sectionWords = defineWords(
  {
    title: 'Windows Services',
    what: 'As Windows Services, Castellan runs as soon as this computer is on, also when nobody is signed in, and goes on when you sign out or quit this program. Windows starts a part again that has died.',
    rights:
      'Your data stays where it is, either way. Every change asks for an administrator’s rights; each service runs under an account of its own that may do little else.',
    now: 'Now',
    byApp: 'This program runs everything; it stops when you quit or sign out.',
    byServices: 'Windows runs everything; quitting this program stops nothing.',
    states: {
      absent: 'not installed',
      stopped: 'stopped',
      starting: 'starting',
      stopping: 'stopping',
      running: 'running',
      paused: 'paused',
    },
    notWindows: 'There are Windows Services on Windows only.',
    notPerMachine: 'Castellan is not installed for all users',
    notPerMachineText:
      'Services may only run programs that no ordinary account can replace. Install Castellan again, “for all users”: your data stays as it is.',
    unfitHome: 'Services cannot work in this data folder',
    unfitHomeText: 'Move the data folder to a disk of this computer first: “Data folder” does that.',
    unreadable: 'Windows does not say how its services stand',
    toServices: 'Run as Windows Services …',
    toServicesTitle: 'Run as Windows Services?',
    toServicesText:
      'Windows asks for an administrator first. Then everything is stopped in order, three services are made and started, and the panel comes back: a minute or two. If any step fails, all is undone and this program goes on as before.',
    toServicesAct: 'Run as services',
    repair: 'Finish the installation …',
    toApp: 'Remove the services …',
    toAppTitle: 'Remove the services?',
    toAppText:
      'The services are stopped in order and removed, and this program runs everything again, as long as it is open. All data stays. If any step fails, the services are brought back.',
    toAppAct: 'Remove them',
    start: 'Start',
    stop: 'Stop …',
    stopTitle: 'Stop the services?',
    stopText:
      'Players’ orders wait, and nobody reaches the panel, until the services are started again, or Windows is.',
    stopAct: 'Stop them',
    restart: 'Restart',
    done: {
      install: 'Castellan runs as Windows Services now.',
      uninstall: 'The services are gone; this program runs everything.',
      start: 'The services are started.',
      stop: 'The services are stopped.',
      restart: 'The services are restarted.',
      access: 'This desktop is let in.',
    },
  },
  {
    title: 'Serviços do Windows',
    what: 'Como Serviços do Windows, o Castellan funciona assim que este computador liga, mesmo sem ninguém conectado, e continua quando você sai da conta ou fecha este programa. O Windows reinicia uma parte que morreu.',
    rights:
      'Seus dados ficam onde estão, de um jeito ou de outro. Cada mudança pede direitos de administrador; cada serviço usa uma conta própria que pode pouca coisa além disso.',
    now: 'Agora',
    byApp: 'Este programa executa tudo; tudo para quando você sai dele ou da conta.',
    byServices: 'O Windows executa tudo; sair deste programa não para nada.',
    states: {
      absent: 'não instalado',
      stopped: 'parado',
      starting: 'iniciando',
      stopping: 'parando',
      running: 'em execução',
      paused: 'pausado',
    },
    notWindows: 'Serviços do Windows existem só no Windows.',
    notPerMachine: 'O Castellan não está instalado para todos os usuários',
    notPerMachineText:
      'Serviços só podem executar programas que nenhuma conta comum possa trocar. Instale o Castellan de novo, “para todos os usuários”: seus dados ficam como estão.',
    unfitHome: 'Serviços não podem trabalhar nesta pasta de dados',
    unfitHomeText: 'Mova antes a pasta de dados para um disco deste computador: “Pasta de dados” faz isso.',
    unreadable: 'O Windows não diz como estão os serviços',
    toServices: 'Executar como Serviços do Windows …',
    toServicesTitle: 'Executar como Serviços do Windows?',
    toServicesText:
      'Primeiro o Windows pede um administrador. Depois tudo é parado em ordem, três serviços são criados e iniciados, e o painel volta: um ou dois minutos. Se um passo falhar, tudo é desfeito e este programa continua como antes.',
    toServicesAct: 'Executar como serviços',
    repair: 'Terminar a instalação …',
    toApp: 'Remover os serviços …',
    toAppTitle: 'Remover os serviços?',
    toAppText:
      'Os serviços são parados em ordem e removidos, e este programa volta a executar tudo enquanto estiver aberto. Todos os dados ficam. Se um passo falhar, os serviços são restaurados.',
    toAppAct: 'Remover',
    start: 'Iniciar',
    stop: 'Parar …',
    stopTitle: 'Parar os serviços?',
    stopText:
      'Os pedidos dos jogadores esperam, e ninguém acessa o painel, até que os serviços, ou o Windows, sejam iniciados de novo.',
    stopAct: 'Parar',
    restart: 'Reiniciar',
    done: {
      install: 'O Castellan agora funciona como Serviços do Windows.',
      uninstall: 'Os serviços foram removidos; este programa executa tudo.',
      start: 'Os serviços foram iniciados.',
      stop: 'Os serviços foram parados.',
      restart: 'Os serviços foram reiniciados.',
      access: 'Este programa tem acesso.',
    },
  },
);
