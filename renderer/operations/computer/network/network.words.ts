import { defineWords } from '#contracts/kernel/words.ts';

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
      blocked: 'Other machines are blocked, although Castellan’s rule is in place.',
    },
    profiles: { domain: 'company networks', private: 'private networks', public: 'public networks' },
    firewallFaults: {
      'rule-off': () => 'Castellan’s firewall rule was turned off.',
      'rule-changed': () => 'Castellan’s firewall rule was changed, or is for another program.',
      public: () =>
        'Windows counts this network as public, and Castellan’s rule is for private and company networks. Set it to “Private” in Windows Settings, Network & internet. On a rented server, run this in PowerShell as administrator: Set-NetConnectionProfile -NetworkCategory Private',
      blocked: (names: string, profile: string) =>
        `These firewall rules block Castellan on ${profile}, and a block always wins: ${names}. Turn them off in Windows Defender Firewall with Advanced Security (wf.msc), Inbound Rules.`,
      shielded: (_names: string, profile: string) =>
        `All incoming connections are blocked on ${profile}. Turn that off in Windows Security, Firewall & network protection.`,
      policy: (_names: string, profile: string) =>
        `A policy of this computer ignores firewall rules made here, on ${profile}. Ask its administrator to let Castellan’s port through.`,
      'other-firewall': (names: string) =>
        `Another firewall guards this computer, too: ${names}. Let Castellan’s port through there as well.`,
      off: (_names: string, profile: string) =>
        `Windows Firewall is off on ${profile}, so it protects nothing. Turn it on in Windows Security; Castellan’s rule is kept.`,
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
    license: 'Proxy to the internet',
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
      blocked: 'Outras máquinas estão bloqueadas, embora a regra do Castellan exista.',
    },
    profiles: { domain: 'redes da empresa', private: 'redes privadas', public: 'redes públicas' },
    firewallFaults: {
      'rule-off': () => 'A regra de firewall do Castellan foi desativada.',
      'rule-changed': () => 'A regra de firewall do Castellan foi alterada ou vale para outro programa.',
      public: () =>
        'O Windows considera esta rede pública, e a regra do Castellan vale para redes privadas e da empresa. Mude-a para “Privada” em Configurações do Windows, Rede e Internet. Em um servidor alugado, execute isto no PowerShell como administrador: Set-NetConnectionProfile -NetworkCategory Private',
      blocked: (names: string, profile: string) =>
        `Estas regras de firewall bloqueiam o Castellan em ${profile}, e um bloqueio sempre vence: ${names}. Desative-as em Windows Defender Firewall com Segurança Avançada (wf.msc), Regras de Entrada.`,
      shielded: (_names: string, profile: string) =>
        `Todas as conexões de entrada estão bloqueadas em ${profile}. Desative isso em Segurança do Windows, Firewall e proteção de rede.`,
      policy: (_names: string, profile: string) =>
        `Uma política deste computador ignora regras de firewall criadas aqui, em ${profile}. Peça ao administrador que libere a porta do Castellan.`,
      'other-firewall': (names: string) =>
        `Outro firewall também protege este computador: ${names}. Libere a porta do Castellan nele também.`,
      off: (_names: string, profile: string) =>
        `O Firewall do Windows está desligado em ${profile}, então não protege nada. Ligue-o em Segurança do Windows; a regra do Castellan permanece.`,
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
    license: 'Proxy de acesso à internet',
    licenseText: 'Para máquinas que só alcançam a internet por um proxy.',
  },
);
