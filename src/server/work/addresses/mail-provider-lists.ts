// Mail domains that say nothing about a company, and that the packages with such lists leave out.

/** The domains of a text, with white space between them. */
export const domainsIn = (text: string) => text.split(/\s+/).filter(Boolean)

/** Providers that have their name under dozens of endings, which no list has in full. */
export const providersOfAnyEnding = ['aol', 'gmx', 'net-c', 'yandex']

/** Services that forward mail and hide the real address, including those of marketplaces. */
export const relays = domainsIn(`
  4wrd.cc 8alias.com bluron.com cloaked.id dralias.com etsy-customer.com fastmail.com firemail.de guest.airbnb.com
  marketplace.amazon.co.uk marketplace.amazon.com marketplace.amazon.de members.ebay.com messages.paypal.com
  mailer.me maskme.us mycloak.id noreply.github.com notmyemail.com onionmail.org polaris.email reply.ebay.com reply.github.com
  silomails.com simplelogin.fr simplelogin.io simplelogin.me startmail.com users.noreply.github.com
`)

/** Mailboxes that anybody can rent or get free of charge. */
export const mailboxes = domainsIn(`
  126.net autistici.org countermail.com ctemplar.com directbox.com disroot.org eclipso.ch eclipso.de eclipso.email
  eclipso.eu eclipso.fr eml.cc etik.com f-m.fm fastest.cc fastmail.co.uk fea.st icloud.com.cn ik.me ikmail.com imap.cc
  kolabnow.com live.at live.cl live.co.za live.com.my live.com.ph live.com.pt live.fi live.in live.no live.ru live.se
  mailfence.com mm.st murena.io my.com netc.eu netc.fr netc.it netc.lu netc.pl onet.com.pl onet.eu opoczta.pl posteo.de
  posteo.eu posteo.net qq.cn riseup.net sent.as sent.at skiff.com sms.at soverin.net tuta.com tuta.io tutamail.com
  tutanota.com tutanota.de vivaldi.net zohomail.com zohomail.eu zohomail.in
`)

/** Hosts that give each of their customers a subdomain; the domain itself is no customer's company domain. */
export const tenantHosts = domainsIn(`
  amazonses.com appspotmail.com atlassian.net bitrix24.com exchangelabs.com freshdesk.com googlegroups.com
  groups.io helpscoutapp.com intercom-mail.com jimdo.com jimdofree.com mailgun.org onmicrosoft.cn onmicrosoft.com
  onmicrosoft.de onmicrosoft.us onmschina.cn sharepoint.com test-google-a.com yahoogroups.com zendesk.com zohodesk.com
`)

/** The same, but the host's own employees use the domain itself, so that it is their company's domain. */
export const hostsOfTenants = domainsIn(`
  dynamics.com frontapp.com gorgias.com groovehq.com kayako.com odoo.com salesforce.com slack.com teamwork.com
  weebly.com wordpress.com
`)

/** Internet access providers that give their customers a mailbox, by region. */
export const internetProviders = [
  // Germany, Austria, Switzerland
  ...domainsIn(`
  1und1.de a1.net addcom.de alice-dsl.de alice-dsl.net alicedsl.de aon.at chello.at drei.at eunet.at ewe.net ewetel.net green.ch
  hansenet.de hispeed.ch htp-tel.de inode.at kabelbw.de kabelplus.at kabsi.at kielnet.net liwest.at m-net.de
  mnet-mail.de mnet-online.de netcologne.de netplus.ch netway.at nord-com.net o2mail.de o2online.de osnanet.de
  quickline.ch sunrise.ch swbmail.de t-mobile.de tele2.at tele2.ch ticino.com tirol.com unity-mail.de unitybox.de
  utanet.at versanet.de vodafone.de vodafonemail.de vol.at vtxmail.ch vtxnet.ch wtnet.de
  `),
  // Benelux
  ...domainsIn(`
  base.be belgacom.net brutele.be caiway.net caiway.nl casema.nl delta.nl edpnet.be glasoperator.nl internet.lu
  kpnplanet.nl multiweb.nl online.nl onsbrabantnet.nl onsnet.nu pandora.be proximus.be pt.lu quicknet.nl
  scarlet.be scarlet.nl solcon.nl tele2.nl telfort.nl telfortglasvezel.nl upc.nl upcmail.nl versatel.nl vo.lu vodafonethuis.nl wxs.nl xmsnet.nl xs4all.nl zeelandnet.nl
  ziggo.nl
  `),
  // France and its territories
  ...domainsIn(`
  9online.fr bbox.fr canl.nc cegetel.net dartybox.com evhr.net lagoon.nc libertysurf.fr mediaserv.net mls.nc
  noos.fr nordnet.com nordnet.fr numericable.fr tele2.fr worldonline.fr
  `),
  // United Kingdom and Ireland
  ...domainsIn(`
  cwgsy.net demon.co.uk eclipse.co.uk ee.co.uk force9.co.uk freenetname.co.uk gotadsl.co.uk imagine.ie indigo.ie
  iol.ie jerseymail.co.uk lineone.net madasafish.com manx.net onetel.com onetel.net pipex.com plus.com plus.net
  plusnet.com supanet.com tesco.net uwclub.net vodafone.ie waitrose.com zen.co.uk
  `),
  // Nordic and Baltic countries
  ...domainsIn(`
  altibox.no bahnhof.se bkkfiber.no bredband.net bredband2.com bredbandsbolaget.se broadpark.no comhem.se
  dlgtele.dk dnainternet.net elisanet.fi esenet.dk fibermail.dk frisurf.no get2net.dk getmail.no glocalnet.net
  inbox.lt inet.fi internet.is jubii.dk kolumbus.fi lyse.net mail.dk mail.tele.dk neti.ee netti.fi oncable.dk
  online.ee online.no ownit.se passagen.se phnet.fi post.tele.dk pp.inet.fi privat.dk profibermail.dk
  saunalahti.fi simnet.is start.no stofanet.dk suomi24.fi surffi.fi swipnet.se takas.lt tdcadsl.dk tele2.no
  tele2.se telia.com telia.ee webspeed.dk welho.com youmail.dk zebra.lt
  `),
  // Spain and Portugal
  ...domainsIn(`
  clix.pt euskalnet.net euskaltel.net iol.pt jazztel.es kanguru.pt mail.telepac.pt meo.pt movistar.es mundo-r.com
  netcabo.pt netvisao.pt nos.pt ono.com orange.es telecable.es telefonica.net telepac.pt vodafone.es vodafone.pt
  ya.com zonmail.pt
  `),
  // Italy, Greece, Malta, Cyprus
  ...domainsIn(`
  aruba.it arubapec.it cosmote.gr cosmotemail.gr cyta.gr cytanet.com.cy fastwebnet.it go.net.mt hol.gr infinito.it
  legalmail.it maltanet.net melita.com nova.gr onenet.com.cy onvol.net otenet.gr pec.it postecert.it primehome.com
  tele2.it telecomitalia.it tim.it tre.it vivodinet.gr vodafone.it wind.gr wind.it windtools.gr windtre.it
  `),
  // Central and Eastern Europe
  ...domainsIn(`
  amis.net aster.pl atlas.cz autograf.pl azet.sk beotel.net bigmir.net bih.net.ba chello.hu chello.pl citromail.hu
  clicknet.ro digi.ro digikabel.hu dir.bg email.ua enternet.hu eunet.rs externet.hu gbg.bg go2.pl gyuvetch.bg
  hotbox.ru indamail.hu inet.hr interia.eu internet.ru invitel.hu iol.cz iskon.hr km.ru mail.bg mail.kz meta.ua
  mts.rs narod.ru neostrada.pl net.hr netia.pl nextra.sk nm.ru o2active.cz online.ua op.pl open.telekom.rs
  optinet.hr orangemail.sk plusnet.pl ptt.rs qip.ru quick.cz rdslink.ro rdsmail.ro rol.ru romtelecom.ro sbb.rs
  siol.net spoko.pl stonline.sk t-2.net t-com.hr t-com.sk t-email.hu t-home.mk t.mk telemach.net teol.net
  tiscali.cz tlen.pl toya.net.pl tut.by ua.fm upcmail.cz upcmail.hu upcmail.ro upcpoczta.pl vectranet.pl vip.hr
  vipmail.hu volja.net volny.cz vp.pl wp.eu yandex.by yandex.kz yubc.net zoznam.sk
  `),
  // United States and Canada
  ...domainsIn(`
  accesscomm.ca accesswave.ca acsalaska.net alaska.net arvig.net astound.net atlanticbb.com bellaliant.net
  bellmts.net brighthouse.com cgocable.ca clear.net clearwire.net cogeco.net comporium.net consolidated.net
  currently.com distributel.ca eastlink.ca epbfi.com execulink.ca execulink.com exede.net flash.net
  globetrotter.net grandecom.net gvtc.com htc.net knology.net localnet.com maskatel.net mediacombb.net
  metrocast.net midco.net mtaonline.net mts.net myfairpoint.net mymts.net nbnet.nb.ca nctv.com northwestel.net
  novus.ca ntelos.net nvbell.net oricom.ca pacifier.com penn.com plateautel.net pld.com primus.ca rogers.ca
  ruralroute.net sasktel.net shentel.net sogetel.net sonic.net sparklight.net speakeasy.net speakeasy.org
  spectrum.net sprintpcs.com suddenlink.net surewest.net tbaytel.net teksavvy.com telusplanet.net tmomail.net
  toast.net vianet.ca viasat.com videotron.qc.ca vtext.com wans.net wavecable.com xplornet.ca xplornet.com
  ziplyfiber.com zoomtown.com
  `),
  // Latin America and the Caribbean
  ...domainsIn(`
  adinet.com.uy andinanet.net axtel.net brturbo.com.br cable.net.co cablecolor.hn cableonda.net cablevision.net.mx
  candw.ag cantv.net cariaccess.com caribe.net caribsurf.com ciudad.com.ar claro.com.br claro.net.do
  click21.com.br codetel.net.do coqui.net cotas.com.bo cwjamaica.com cwpanama.net ecutel.net emcali.net.co
  entelchile.net entelnet.bo epm.net.co etb.net.co flash.com.ar guate.net.gt hondutel.hn ice.co.cr
  infinitum.com.mx infonegocio.net.pe intelnett.com inter.net.ve izzi.mx manquehue.net megared.net.mx mi.cl
  movistar.com.ve netgate.com.uy netsite.com.br pop.com.br prtc.net racsa.co.cr setarnet.aw sinectis.com.ar
  speedy.com.pe sunbeach.net superig.com.br supernet.com.bo telecentro.com.ar telesat.com.co telmex.com
  telmexmail.com terra.com.pe tie.cl tigo.com.py totalplay.com.mx tricom.net tstt.net.tt turbonett.com
  uio.satnet.net une.net.co uolsinectis.com.ar veloxmail.com.br vera.com.uy vivo.com.br vtr.net
  `),
  // Asia
  ...domainsIn(`
  139.com 189.cn 263.net airtelmail.com airtelmail.in asahi-net.or.jp asianet.co.th au.com auone-net.jp bbiq.jp bbtec.net biglobe.ne.jp
  biz.net.id biznetvigator.com brain.net.pk bsnl.in bsnl.net bttb.net.bd catvy.ne.jp cbn.net.id celcom.com.my
  centrin.net.id chol.com chollian.net citech-bd.com cscoms.com ctm.net cyber.net.pk cybernet.net.pk dataone.in
  dhaka.net dhiraagu.net.mv dialog.lk dion.ne.jp dreamwiz.com edsamail.com.ph emobile.ne.jp empal.com eonet.ne.jp
  eth.net eureka.lk freechal.com giga.net.tw globe.com.ph hanafos.com hi-ho.ne.jp hinet.net hitel.net hkbn.net
  hknet.com hkstar.com i-cable.com i-manila.com.ph indo.net.id indosat.net.id inet.co.th infoweb.ne.jp jaring.my
  jcom.zaq.ne.jp kakao.com kcn.ne.jp ksc.net.th ksc.th.com loxinfo.co.th lycos.co.kr mail.com.np maxis.net.my
  mopera.net mozcom.com mtnl.net.in myjaring.net nayatel.com netvigator.com nifty.com nifty.ne.jp ntc.net.np
  ocn.ne.jp odn.ne.jp pacific.net.ph pacific.net.sg paran.com pchome.com.tw plala.or.jp pldtdsl.net pldthome.net
  ptcl.net rediff.com sancharnet.in satyam.net.in seed.net.tw skyinet.net slt.lk sltnet.lk smart.com.ph
  so-net.ne.jp so-net.net.tw sohu.com starhub.net.sg streamyx.com telkomsel.com tepco.ne.jp time.net.my tm.net.my
  tmnet.my trueinternet.co.th truemail.co.th unitel.co.kr uqwimax.jp url.com.tw viettel.vn vsnl.com vsnl.net
  wakwak.com willcom.com wlink.com.np wo.cn wo.com.cn wol.net.pk zaq.ne.jp
  `),
  // Middle East
  ...domainsIn(`
  012.net.il 013net.net awalnet.net.sa azdsl.net aztelekom.net barak.net.il batelco.com.bh bezeqint.net
  caucasus.net chmail.ir cyberia.net.lb dm.net.lb e-kolay.net eim.ae emirates.net.ae etisalat.ae fasttelco.com
  idm.net.lb inco.com.lb inter.net.il ixir.com kablonet.com.tr kems.net mailfa.com mobily.com.sa mynet.com
  nana.co.il nana10.co.il nesma.net.sa omantel.net.om orange.jo parsonline.net qatar.net.qa qualitynet.net
  saudi.net.sa smile.net.il soficom.com.eg sps.net.sa stc.com.sa superonline.com tedata.net.eg terra.net.lb
  tnn.net ttmail.com ttnet.net.tr turk.net wanadoo.jo zajil.net
  `),
  // Africa
  ...domainsIn(`
  absamail.co.za africaonline.co.ke africaonline.co.tz africaonline.com.gh africaonline.com.na afrihost.co.za
  arc.sn aviso.ci botsnet.bw camnet.cm cats-net.com coppernet.zm cybersmart.co.za djaweb.dz dts.mg ethionet.et
  ghana.com gnet.tn hexabyte.tn iafrica.com iam.net.ma iburst.co.za icon.co.za ighmail.com imaginet.co.za
  infocom.co.ug intnet.mu iway.na iwayafrica.com jambo.co.ke lantic.net mango.zw menara.ma moov.mg mtn.co.za
  mtnloaded.co.za mtnmail.ug mweb.co.za myt.mu neomail.co.za netangola.com nigol.net.ng orange.ci orange.co.ke
  orange.mg orange.mu orange.sn planet.tn safaricom.co.ke sentoo.sn swiftkenya.com tdm.co.mz teledata.mz
  telkomsa.net telone.co.zw topnet.tn tvcabo.ao tvcabo.co.mz utlonline.co.ug virconn.com vodacom.co.za
  vodamail.co.za wananchi.com wissal.dz worldonline.co.za xsinet.co.za yoafrica.com zain.co.ke zamnet.zm zamtel.zm
  zol.co.zw
  `),
  // Oceania
  ...domainsIn(`
  2degreesbroadband.co.nz aanet.com.au aapt.net.au activ8.net.au actrix.co.nz actrix.gen.nz adam.com.au
  amnet.net.au aussiebroadband.com.au bluemaxx.com.au chariot.net.au clear.net.nz clubtelco.com connect.com.fj
  datec.net.pg exetel.com.au farmside.co.nz guam.net hotkey.net.au ihug.co.nz kidanet.net.fj kinect.co.nz
  maxnet.co.nz ncable.net.au online.net.pg optushome.com.au orcon.net.nz paradise.net.nz primus.com.au
  skymesh.com.au slingshot.co.nz snap.net.nz spin.net.au swiftdsl.com.au telecom.co.nz unwired.com.fj
  vanuatu.com.vu vodafone.co.nz vodafone.net.nz woosh.co.nz
  `),
]
