use puli::tables::pattern::*;
fn main(){
    for (w,h,homes) in [(4,4,vec![1,2,3,6,7,5]),(4,4,vec![4,8,9,12,13,10]),(5,5,vec![3,4,8,9,13,14]),(4,4,vec![1,2,3,5,6,7,4])]{
        let t=std::time::Instant::now();
        let p=PatternTable::build(Pattern{width:w,height:h,homes},&|_,_|true).unwrap();
        let mut hist=[0usize;16];
        for i in 0..p.pattern.placements(){hist[p.entry(i) as usize]+=1;}
        println!("{:?} {:?}",t.elapsed(),hist);
    }
}
