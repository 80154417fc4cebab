import { defineWords } from '../../../language/define-words.ts';

export const networkWords = defineWords(
  {
    title: 'How it is reached',
    text: 'A change restarts what it concerns; people who are signed in stay so. If it does not work, everything is put back as it was.',
    ownHost: (host: string) => `It listens at ${host}, as written in the .env.`,
    save: 'Apply',
    saving: 'The settings are being changed …',
    tls: 'It has a certificate: others reach it encrypted.',
    urls: 'Browsers elsewhere, and apiUrl in the config.json of agents:',
    noUrls: 'This machine has no address in a network.',
    firewall: 'Firewall of Windows',
    firewallIs: {
      open: 'A rule lets other machines of private and company networks through.',
      closed: 'No rule of Castellan is there, and none is needed.',
      missing: 'The rule that lets other machines through is missing: they do not reach Castellan.',
      left: 'A rule is still there that is not needed any more.',
    },
    addRule: 'Make the rule',
    removeRule: 'Remove the rule',
    firewallAsks: 'Windows asks for an administrator’s rights.',
    firewallAnswer: {
      refused: 'It was refused, so nothing was changed.',
      impossible:
        'Windows gives nobody an administrator’s rights here. Have an administrator run this in a command prompt:',
      failed: 'Windows did not make the change. Run this in a command prompt as administrator:',
    },
    news: {
      done: 'The change is in effect.',
      undone: 'That did not work, so that everything is as it was before.',
      'not-undone':
        'That did not work, and what was there before does not either. See the state of the parts.',
    },
    service:
      'Windows Services run Castellan, so that these settings are an administrator’s: edit the .env in the data folder in an editor that was started as administrator, then restart the services.',
    license: 'Way to the license portal',
    licenseText: 'Where this machine reaches the internet through a proxy only.',
  },
  {
    title: 'Como ele é acessado',
    text: 'Uma mudança reinicia o que lhe diz respeito; quem está conectado continua. Se não funcionar, tudo volta a ser como era.',
    ownHost: (host: string) => `Ele escuta em ${host}, como está no .env.`,
    save: 'Aplicar',
    saving: 'As configurações estão sendo mudadas …',
    tls: 'Ele tem um certificado: os outros o acessam com criptografia.',
    urls: 'Navegadores em outro lugar, e apiUrl no config.json dos agentes:',
    noUrls: 'Esta máquina não tem endereço em nenhuma rede.',
    firewall: 'Firewall do Windows',
    firewallIs: {
      open: 'Uma regra deixa passar outras máquinas de redes privadas e da empresa.',
      closed: 'Não há regra do Castellan, e nenhuma é necessária.',
      missing: 'Falta a regra que deixa passar outras máquinas: elas não alcançam o Castellan.',
      left: 'Ainda existe uma regra que não é mais necessária.',
    },
    addRule: 'Criar a regra',
    removeRule: 'Remover a regra',
    firewallAsks: 'O Windows pede os direitos de um administrador.',
    firewallAnswer: {
      refused: 'Foi recusado, então nada mudou.',
      impossible:
        'Aqui o Windows não dá a ninguém os direitos de um administrador. Peça a um administrador que execute isto em um prompt de comando:',
      failed: 'O Windows não fez a mudança. Execute isto em um prompt de comando como administrador:',
    },
    news: {
      done: 'A mudança está em vigor.',
      undone: 'Isso não funcionou, então tudo está como antes.',
      'not-undone': 'Isso não funcionou, e o que havia antes também não. Veja o estado das partes.',
    },
    service:
      'Os Serviços do Windows rodam o Castellan, então estas configurações são de um administrador: edite o .env na pasta de dados em um editor iniciado como administrador e reinicie os serviços.',
    license: 'Caminho até o portal de licenças',
    licenseText: 'Onde esta máquina só alcança a internet por um proxy.',
  },
);
