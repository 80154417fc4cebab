import { defineWords } from '#contracts/words.ts';

export const networkWords = defineWords(
  {
    title: 'Network access',
    text: 'Applying a change restarts the affected components. You stay signed in. If it fails, Castellan restores the previous settings.',
    ownHost: (host: string) => `Castellan listens on ${host}, as set in the .env file.`,
    save: 'Apply',
    saving: 'Applying settings …',
    tls: 'Connections are encrypted with your certificate.',
    urls: 'Addresses for other machines (in browsers, and as apiUrl in a Game Agent’s config.json):',
    noUrls: 'This machine is not on a network.',
    firewall: 'Windows Firewall',
    firewallIs: {
      open: 'Open for private and company networks.',
      closed: 'No rule needed.',
      missing: 'Other machines are blocked: the firewall rule is missing.',
      left: 'A rule is no longer needed.',
    },
    addRule: 'Add firewall rule',
    removeRule: 'Remove firewall rule',
    firewallAsks: 'Windows asks for administrator permission.',
    firewallAnswer: {
      refused: 'Permission was denied, so nothing was changed.',
      impossible:
        'Your account can’t ask for administrator permission. Ask an administrator to run this in a command prompt:',
      failed: 'Windows did not apply the change. Run this in a command prompt as administrator:',
    },
    news: {
      done: 'Settings applied.',
      undone: 'The new settings failed, so the previous ones are active again.',
      'not-undone':
        'The new settings failed, and so did restoring the previous ones. Check the state of the components.',
    },
    service:
      'Castellan runs as Windows Services, so only an administrator can change this: edit .env in the data folder as administrator, then restart the services.',
    license: 'Proxy for the license portal',
    licenseText: 'For machines that reach the internet only through a proxy.',
  },
  {
    title: 'Acesso pela rede',
    text: 'Aplicar uma mudança reinicia os componentes afetados. Você continua conectado. Se falhar, o Castellan restaura as configurações anteriores.',
    ownHost: (host: string) => `O Castellan escuta em ${host}, como definido no arquivo .env.`,
    save: 'Aplicar',
    saving: 'Aplicando as configurações …',
    tls: 'As conexões são criptografadas com o seu certificado.',
    urls: 'Endereços para outras máquinas (nos navegadores, e como apiUrl no config.json de um agente de jogo):',
    noUrls: 'Esta máquina não está em uma rede.',
    firewall: 'Firewall do Windows',
    firewallIs: {
      open: 'Aberto para redes privadas e da empresa.',
      closed: 'Nenhuma regra é necessária.',
      missing: 'Outras máquinas estão bloqueadas: falta a regra do firewall.',
      left: 'Uma regra não é mais necessária.',
    },
    addRule: 'Adicionar regra do firewall',
    removeRule: 'Remover regra do firewall',
    firewallAsks: 'O Windows pede permissão de administrador.',
    firewallAnswer: {
      refused: 'A permissão foi negada, então nada mudou.',
      impossible:
        'Sua conta não pode pedir permissão de administrador. Peça a um administrador que execute isto em um prompt de comando:',
      failed: 'O Windows não aplicou a mudança. Execute isto em um prompt de comando como administrador:',
    },
    news: {
      done: 'Configurações aplicadas.',
      undone: 'As novas configurações falharam, então as anteriores voltaram a valer.',
      'not-undone':
        'As novas configurações falharam, e restaurar as anteriores também. Confira o estado dos componentes.',
    },
    service:
      'O Castellan roda como Serviços do Windows, então só um administrador pode alterar isto: edite o .env na pasta de dados como administrador e reinicie os serviços.',
    license: 'Proxy para o portal de licenças',
    licenseText: 'Para máquinas que só alcançam a internet por um proxy.',
  },
);
