# Where every file of domains/charging goes. Keys are relative to domains/charging.
PILE={
 'contract':['connector.ts','equipment.ts','operateLog.ts','operator.ts','pileCommand.ts','pileLink.ts','station.ts','units.ts'],
 'server':['assets.test.ts','connector.ts','frame.ts','gun.ts','link.ts','linkTables.ts','operator.ts','pile.ts','pileCommand.ts','pileFacts.ts','pileSecret.ts','pileTell.ts','pileTime.test.ts','pileTime.ts','station.ts','upkeep.ts'],
 'web':['ChargingCompanyScreen.tsx','ChargingListScreen.tsx','ChargingPileScreen.tsx','ChargingQrScreen.tsx','ChargingStationScreen.tsx','Guns.tsx','Online.tsx','Opening.tsx','PileStory.tsx','StationForm.tsx','priceTables.test.ts','priceTables.ts'],
}
# parts that other domains' pages draw
PILE_API={'PileTell.tsx':'PileTell.tsx','pileTell.test.ts':'pileTell.test.ts','links.tsx':'links.tsx','stations.tsx':'stations.tsx'}
ROAM={
 'contract':['mine.ts','partnerStation.ts','platform.ts','platformReduce.ts','roaming.ts','roamingBill.ts','statement.ts'],
 'server':['near.ts','ownStations.ts','partner.ts','partnerCharges.ts','partnerCheck.ts','partnerDoor.ts','partnerPush.ts','partnerStations.ts','partnerWire.ts','platform.ts','platformReduce.ts','statement.ts','waiver.test.ts','waiver.ts'],
 'server/roaming':['bill.ts','calls.ts','charge.ts','doubts.test.ts','drive.ts','fetch.ts','guns.ts','mine.ts','told.ts'],
 'web':['PartnerGuns.tsx','PartnerMessages.tsx','PlatformReduceScreen.tsx','PlatformScreen.tsx','RoamingScreen.tsx','SecretDialog.tsx','StatementScreen.tsx','partners.tsx'],
}
# inside charging, so that no folder has more than thirty files
INSIDE={
 'server':{'figures':['analysis.ts','data.ts','figures.test.ts','finance.ts','income.ts','live.ts','map.ts','span.ts','usage.ts','wall.ts'],
           'load':['load.ts','loadRule.property.test.ts','loadRule.ts','loadShare.ts','loadStand.ts'],
           'care':['danger.ts','fault.ts','handlers.ts']},
 'web':{'api':['Gives.tsx']},
}
OLD='domains/charging/'
moves={}
RENAME={'linkTables.ts':'tables.ts'}
for side,fs in PILE.items():
    for f in fs: moves[f'{OLD}{side}/{f}']=f'domains/pile/{side}/{RENAME.get(f,f)}'
for f,t in PILE_API.items(): moves[f'{OLD}web/{f}']=f'domains/pile/web/api/{t}'
for side,fs in ROAM.items():
    for f in fs: moves[f'{OLD}{side}/{f}']=f"domains/roaming/{side.replace('server/roaming','server')}/{f}"
inside={}
for side,fold in INSIDE.items():
    for d,fs in fold.items():
        for f in fs: inside[f'{OLD}{side}/{f}']=f'domains/charging/{side}/{d}/{f}'
# new homes of single symbols of files that are cut: (old file, symbol) -> new file
CUT={}
def cut(old,new,*names):
    for n in names: CUT[(OLD+old,n)]=new
cut('contract/connector.ts','domains/charging/contract/gun.ts','Gun','gunSearch','GunCode')
cut('contract/station.ts','domains/charging/contract/stationRow.ts','StationRow','stationRowSearch','StationOpening')
cut('contract/card.ts','domains/pile/contract/cardNo.ts','typedCard','plainCard','CARD_MAX')
cut('server/pileFacts.ts','domains/charging/server/transaction.ts','chargesNow','gunOfTransaction','stopReasonOf')
cut('server/near.ts','domains/pile/server/place.ts','placed')
cut('server/said.ts','domains/pile/server/said.ts','ConnectorSaid','PileSaid','connectorChanged','gunsShown','gunTopic','profileTold')
cut('server/said.ts','domains/roaming/server/said.ts','checkWanted','letterTaken','letterAnew')
cut('web/acts.ts','domains/pile/web/acts.ts','enablesFaulty')
cut('web/figures.ts','domains/pile/web/api/links.tsx','FAULTS','PILES','CHARGES')
cut('web/figures.ts','domains/charging/web/api/perKwh.ts','perKwh')
# STEP=inside, roaming or pile (environment): only what that step moves. What has been moved before is left out by itself, so that all scripts may run again before each step.
import os
_there=lambda f: os.path.exists('./'+f)
_step=os.environ.get('STEP')
if _step:
    moves={f:t for f,t in moves.items() if t.startswith(f'domains/{_step}/')}
    if _step!='inside': inside={}
    CUT={k:v for k,v in CUT.items() if v.startswith(f'domains/{_step}/') or _step=='pile' and v.startswith('domains/charging/')}
moves={f:t for f,t in moves.items() if _there(f)}
inside={f:t for f,t in inside.items() if _there(f)}
